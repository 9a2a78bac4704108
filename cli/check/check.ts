import { type Command, Option } from "commander";
import { type ProxyType, proxyTypes } from "../../provider/client/index.ts";
import type { ProxyScheme } from "../../provider/core/proxies/proxy-url.ts";
import { readAccount, withClient } from "../account.ts";
import { CliError } from "../failure.ts";
import { collect, parseCountry, parseType, parseWhole } from "../flag-values.ts";
import { type PlaceFlags, readServiceAccess, withBaseUrl } from "../settings.ts";
import { describeWaiting, type KnownOrder, readAllKnownOrders } from "../state-file.ts";
import type { Terminal } from "../terminal.ts";
import { type Checked, describeChecked, isWrong } from "./check-words.ts";
import { type ChosenProxy, chooseProxies } from "./chosen-proxies.ts";
import { askAll, listQuestions } from "./questions.ts";
import { tallyBy } from "./result.ts";

/** Exit code if a proxy does not work. */
const SOME_ARE_WRONG = 2;

const allProtocols: readonly ProxyScheme[] = ["http", "socks5"];

const MOST_AT_ONCE = 200;
const MOST_SECONDS = 300;

interface CheckFlags extends Pick<PlaceFlags, "baseUrl"> {
  url?: string;
  order?: string[];
  country?: string[];
  type?: ProxyType[];
  state?: string[];
  protocol?: ProxyScheme;
  atOnce: number;
  timeoutSeconds: number;
  json?: true;
}

/** Adds `check`. */
export function addCheckCommand(program: Command, terminal: Terminal): void {
  withBaseUrl(program.command("check"))
    .description("Asks a URL of yours through each proxy of the account, and says which work")
    .option("--url <url>", "what to ask, http or https: a page of your own; there is no default")
    .option("--order <ids...>", "only these orders", collect(String))
    .option("--country <codes...>", "only in these, for instance USA", collect(parseCountry))
    .option("--type <types...>", `only these: ${proxyTypes.join(", ")}`, collect(parseType))
    .option(
      "--state <files...>",
      "only the orders that these have: files of `pulumi stack export`; - for standard input",
    )
    .addOption(
      new Option("--protocol <name>", "only over this, instead of both").choices(allProtocols),
    )
    .option("--at-once <count>", "how many are asked at once", parseWhole(MOST_AT_ONCE), 10)
    .option("--timeout-seconds <count>", "the longest wait", parseWhole(MOST_SECONDS), 10)
    .option("--json", "as an object")
    .addHelpText(
      "after",
      `\nLists are separated by commas or spaces. The key of the account comes from PROXYRENTAL_API_KEY. A proxy works if\nit brings an answer of the URL, whatever its status, and comes out at its listed address, as far as the answer\ntells one: alone, or in JSON as ip or origin. Proxies that have ended are left out, and orders in\nPROXYRENTAL_FOREIGN_ORDERS that --order does not name. Nothing shows a login.\nExit codes: 0 where all work, also where there is nothing to check; ${SOME_ARE_WRONG} where some don't; 1 for an error.`,
    )
    .action((flags: CheckFlags) => checkProxies(flags, terminal));
}

async function checkProxies(flags: CheckFlags, terminal: Terminal): Promise<void> {
  const url = readUrl(flags.url);
  const access = readServiceAccess(flags, terminal);
  const stated = flags.state && (await readAllKnownOrders(flags.state));
  const { chosen, waiting } = await readChosen(access, flags, stated);
  const protocols = flags.protocol === undefined ? allProtocols : [flags.protocol];
  const { questions, notAsked } = listQuestions(chosen, protocols);
  const { atOnce, timeoutSeconds } = flags;
  const pace = { atOnce, timeoutMs: timeoutSeconds * 1000 };
  const results = await askAll(questions, url, pace, (done) =>
    terminal.showProgress(`asked ${done} of ${questions.length}`),
  );
  const checked: Checked = {
    url: `${url.origin}${url.pathname}`,
    timeoutSeconds,
    results,
    notAsked,
  };
  if (results.some(isWrong)) terminal.endWith(SOME_ARE_WRONG);
  if (flags.json) {
    terminal.print(JSON.stringify(toJson(checked), undefined, 2));
    return;
  }
  const text = results.length === 0 ? describeNothing(checked, flags) : describeChecked(checked);
  terminal.print([text, waiting].filter((part) => part !== "").join("\n\n"));
}

/** The message never repeats the URL, which may hold a secret. */
function readUrl(text: string | undefined): URL {
  const expected =
    "give --url an http or https URL of your own, without a login; one that answers with its caller's address lets the exits be compared";
  if (text === undefined) throw new CliError(`no URL was given: ${expected}`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CliError(`--url is no http or https URL: ${expected}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new CliError(`--url holds a login: ${expected}`);
  }
  return url;
}

/** Reads all that the account holds of the wanted types, once. Spends nothing. */
async function readChosen(
  access: ReturnType<typeof readServiceAccess>,
  { order, country, type }: CheckFlags,
  stated: readonly KnownOrder[] | undefined,
): Promise<{ chosen: ChosenProxy[]; waiting: string }> {
  const types = proxyTypes.filter((one) => type?.includes(one) ?? true);
  const listings = await withClient(access, (client) => readAccount(client, types));
  return {
    chosen: chooseProxies(listings, {
      ...{ countries: new Set(country), orderIds: new Set(order), stated },
      foreignOrders: access.foreignOrders,
    }),
    // Where only some types were read, an order of another type is not missing.
    waiting: type === undefined ? describeWaiting(stated ?? [], listings) : "",
  };
}

function toJson(checked: Checked) {
  const { results } = checked;
  const list = (name: "country" | "orderId") =>
    [...tallyBy(results, (result) => result[name])].map(([key, tally]) => ({
      [name]: key,
      ...tally,
    }));
  return { ...checked, countries: list("country"), orders: list("orderId") };
}

function describeNothing({ notAsked }: Checked, { order, country, type, state }: CheckFlags) {
  if (notAsked.length > 0) {
    return "Nothing to check: the service lists no port yet for what was asked for. Run it again when it does.";
  }
  const isFiltered = [order, country, type, state].some((filter) => filter !== undefined);
  return isFiltered
    ? "Nothing to check: no proxy of the account that has not ended is what was asked for. Run it without --order, --country, --type and --state to check all."
    : "Nothing to check: the account holds no proxy that has not ended.";
}
