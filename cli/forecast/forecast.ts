import { type Command, Option } from "commander";
import { proxyTypes } from "../../provider/client/index.ts";
import { readAccount, withClient } from "../account.ts";
import { explainFailure } from "../failure.ts";
import { parseFileName, parseWhole } from "../flag-values.ts";
import { writeGivenFile } from "../given-file.ts";
import { readIntents } from "../journal/journals.ts";
import type { ListedOrder } from "../listed-order.ts";
import { type Access, type PlaceFlags, readAccess, withPlace } from "../settings.ts";
import { nameResources, readAllKnownOrders } from "../state-file.ts";
import type { Terminal } from "../terminal.ts";
import { type Forecast, findShortage, forecastAccount } from "./account-forecast.ts";
import {
  describeForecast,
  describeForecastInMarkdown,
  describeShortage,
} from "./forecast-words.ts";
import { findHoldings } from "./held-proxies.ts";
import type { Past } from "./page/page.ts";
import { addUpMonths } from "./paid-months.ts";

/** Exit code if the balance does not cover what renews. */
const TOO_SHORT = 2;

const MOST_DAYS = 3650;

interface ForecastFlags extends PlaceFlags {
  days: number;
  failIfShort?: number;
  state?: string[];
  ics?: string;
  html?: string;
  markdown?: true;
  json?: true;
}

/** Adds `forecast`. */
export function addForecastCommand(program: Command, terminal: Terminal): void {
  withPlace(program.command("forecast"))
    .description("What ends when, what renews for how much, and how long the balance lasts")
    .option("--days <number>", "how far to look", parseWhole(MOST_DAYS), 90)
    .option(
      "--fail-if-short <days>",
      "for how many days renewals must be covered",
      parseWhole(MOST_DAYS),
    )
    .option("--state <file...>", "files of `pulumi stack export`, to name the resources")
    .option("--ics <file>", "write a calendar: an entry for what happens on a day", parseFileName)
    .option(
      "--html <file>",
      "write a page with figures, and with what the last months cost",
      parseFileName,
    )
    .option("--markdown", "for the summary of a job")
    .addOption(new Option("--json", "as an object").conflicts("markdown"))
    .addHelpText(
      "after",
      `\nThe key of the account comes from PROXYRENTAL_API_KEY. Spends nothing: prices are those of calculate/extend today.\nA renewal is told on the day on which its proxies end; the service pays for it before that.\nExit codes: 0; ${TOO_SHORT} where --fail-if-short finds a renewal that is not covered, or has no price; 1 for an error.`,
    )
    .action((flags: ForecastFlags) => showForecast(flags, terminal));
}

async function showForecast(flags: ForecastFlags, terminal: Terminal): Promise<void> {
  const access = readAccess(flags, terminal);
  const forecast = await makeForecast(access, flags, terminal);
  const { failIfShort, markdown, json, ics, html } = flags;
  if (ics !== undefined) {
    const { makeCalendar } = await import("./calendar.ts");
    await writeGivenFile(ics, makeCalendar(forecast));
  }
  if (html !== undefined) {
    const { makePage } = await import("./page/page.ts");
    await writeGivenFile(html, await makePage(forecast, await readPast(access)));
  }
  const describe = json ? toJson : markdown ? describeForecastInMarkdown : describeForecast;
  terminal.print(describe(forecast));
  if (failIfShort === undefined) return;
  const shortage = findShortage(forecast, failIfShort);
  if (shortage === undefined) return;
  terminal.writeError(`${describeShortage(forecast, shortage, failIfShort)}\n`);
  terminal.endWith(TOO_SHORT);
}

async function makeForecast(
  access: Access,
  { days, failIfShort = 0, state }: ForecastFlags,
  terminal: Terminal,
): Promise<Forecast> {
  const nameResource = nameResources(await readAllKnownOrders(state ?? []));
  const resourceOf = (order: ListedOrder) =>
    state === undefined ? undefined : (nameResource(order) ?? "no stack");
  return withClient(access, async (client) => {
    terminal.showProgress("Reading what the account holds");
    const [listings, balance] = await Promise.all([
      readAccount(client, proxyTypes),
      client.getBalance(),
    ]);
    const outlook = {
      ...{ holdings: findHoldings(listings), balance, resourceOf },
      days: Math.max(days, failIfShort),
    };
    return forecastAccount(client, outlook, terminal.showProgress);
  });
}

/** The account is foreseen without the journal. So one that can't be read leaves only a part of the page empty. */
async function readPast(access: Access): Promise<Past> {
  try {
    return addUpMonths(await readIntents(access));
  } catch (error) {
    return { unread: explainFailure(error) };
  }
}

function toJson(forecast: Forecast): string {
  return JSON.stringify(forecast, undefined, 2);
}
