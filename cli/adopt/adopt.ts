import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { type Client, type ProxyType, proxyTypes } from "../../provider/client/index.ts";
import type { Offer } from "../../provider/core/account/catalogue.ts";
import type { LivingOrder } from "../../provider/core/order/adopt/living-orders.ts";
import { readAccount, withClient } from "../account.ts";
import { CliError } from "../failure.ts";
import { collect, parseCountry, parseType } from "../flag-values.ts";
import { readIntents } from "../journal/journals.ts";
import { keysOfListed } from "../listed-order.ts";
import { findInJournal } from "../orphans/orphan.ts";
import { type PlaceFlags, readAccess, withPlace } from "../settings.ts";
import { describeWaiting, findAccounted, readAllKnownOrders } from "../state-file.ts";
import type { Terminal } from "../terminal.ts";
import { findAdoptable } from "./adoptable.ts";
import { type AdoptedOrder, writeProgram } from "./adopted-program.ts";
import { guessPurchase } from "./purchase-guess.ts";
import { findRecordedPurchase } from "./recorded-purchase.ts";

interface AdoptFlags extends PlaceFlags {
  out?: string;
  type?: ProxyType[];
  country?: string[];
  order?: string[];
  state?: string[];
}

/** Adds `adopt`. */
export function addAdoptCommand(program: Command, terminal: Terminal): void {
  withPlace(program.command("adopt"))
    .description(
      "Writes a TypeScript program that takes over what the account holds. Buys nothing, and so does the program",
    )
    .option("--out <file>", "a new file for it, instead of standard output")
    .option("--type <types...>", `only these: ${proxyTypes.join(", ")}`, collect(parseType))
    .option("--country <codes...>", "only in these, for instance USA", collect(parseCountry))
    .option("--order <ids...>", "only these", collect(String))
    .option(
      "--state <files...>",
      "without what these have: files of `pulumi stack export`; - for standard input",
    )
    .addHelpText(
      "after",
      "\nLists are separated by commas or spaces. The key of the account comes from PROXYRENTAL_API_KEY. Orders that\nhave ended, and those named in PROXYRENTAL_FOREIGN_ORDERS, are left out. What is not the program goes to\nstandard error.\nExit codes: 0, also where there is nothing to adopt and nothing is written; 1 for an error.",
    )
    .action((flags: AdoptFlags) => adoptOrders(flags, terminal));
}

async function adoptOrders(flags: AdoptFlags, terminal: Terminal): Promise<void> {
  const access = readAccess(flags, terminal);
  const stated = await readAllKnownOrders(flags.state ?? []);
  const wanted = {
    countries: new Set(flags.country),
    orderIds: new Set(flags.order),
    isAccounted: findAccounted(stated, access.foreignOrders),
  };
  const types = proxyTypes.filter((type) => flags.type?.includes(type) ?? true);
  const intents = await readIntents(access);
  await withClient(access, async (client) => {
    const listings = await readAccount(client, types);
    const { orders, unavailable } = findAdoptable(listings, wanted);
    if (unavailable.length > 0) {
      const reasons = unavailable.map(({ orderId, why }) => `order ${orderId} ${why}`);
      throw new CliError(`${reasons.join("; ")}. Nothing was written`);
    }
    const offers = await readOffers(client, orders);
    const adopted = orders.map((order): AdoptedOrder => {
      const offer = offers.get(order.proxyType) ?? { rentPeriodDays: [], operators: {} };
      const guess = guessPurchase(order, offer);
      const journal = findInJournal(order, intents);
      const recorded = findRecordedPurchase(order, intents);
      return { ...order, guess, recorded, periods: offer.rentPeriodDays, journal };
    });
    const [first] = listings;
    if (first && adopted.length > 0) {
      await write(writeProgram(adopted, first.now), flags.out, terminal);
    }
    const waiting = describeWaiting(stated, listings);
    const texts = [conclude(adopted.length, keysOfListed(listings).size, flags), waiting];
    terminal.writeError(`${texts.filter((text) => text !== "").join("\n")}\n`);
  });
}

type TypeOffer = Pick<Offer, "rentPeriodDays" | "operators">;

/** What the service offers for the types of these orders. Asks for nothing else. */
async function readOffers(
  client: Client,
  orders: readonly LivingOrder[],
): Promise<ReadonlyMap<ProxyType, TypeOffer>> {
  const types = [...new Set(orders.map((order) => order.proxyType))];
  return new Map(
    await Promise.all(
      types.map(async (proxyType): Promise<[ProxyType, TypeOffer]> => {
        const rentPeriodDays = await client.listRentPeriods(proxyType);
        const operators = proxyType === "MOBILE" ? await client.listMobileOperators() : {};
        return [proxyType, { rentPeriodDays, operators }];
      }),
    ),
  );
}

/** An existing file may be somebody's work, so it is never written over. */
async function write(text: string, out: string | undefined, terminal: Terminal): Promise<void> {
  if (out === undefined) {
    terminal.write(text);
    return;
  }
  try {
    await writeFile(out, text, { flag: "wx" });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : String(error);
    throw new CliError(
      code === "EEXIST"
        ? `${out} is there already and was left as it is; give --out a new file`
        : `${out} can't be written (${code}); give --out another file`,
    );
  }
}

function conclude(adopted: number, listed: number, { out, type, state }: AdoptFlags): string {
  if (listed === 0) {
    return `The account holds no ${type === undefined ? "" : `${type.join(" or ")} `}orders, so nothing was written.`;
  }
  if (adopted === 0) {
    return `None of the account's orders is left to adopt (${listed} looked at), so nothing was written: each has ended, is in a given state, is declared somebody else's, or is not asked for.`;
  }
  const stateless =
    state === undefined ? " An order that a stack has already is left out with --state." : "";
  return `${out ?? "The program"} takes over ${adopted} of the ${listed} orders that were looked at. Run \`pulumi preview\` with it: it shows no purchase.${stateless}`;
}
