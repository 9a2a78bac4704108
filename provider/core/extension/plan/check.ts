import { readDecidingTime } from "../../account/listing.ts";
import type { Account } from "../../account.ts";
import { makeRequestId } from "../../records/request-id.ts";
import { describeOpenPrice } from "../../spending/open-price.ts";
import { type ExtensionQuote, quoteAccount } from "../../spending/quote.ts";
import { MOST_APART_MS } from "../../values/dates.ts";
import { rethrowExplained } from "../../values/errors.ts";
import { type GivenInputs, type InputFailure, isComplete } from "../../values/inputs.ts";
import { type ExtensionArgs, isSame, parseExtensionArgs, throughMs } from "../model/args.ts";
import { assertWholeOrders } from "../model/proxies.ts";
import { isDated, planRounds } from "../model/rounds.ts";
import type { CheckedExtension } from "../model/state.ts";
import type { ExtensionRecoverer } from "../recover/recover.ts";
import { type Declared, findDeclared } from "./declared.ts";
import { findPayable } from "./payable.ts";
import { type ExtensionCheck, priceRounds } from "./pricing.ts";

/** What one process remembers of extensions between the engine's calls. */
export interface ExtensionMemory {
  recover: ExtensionRecoverer;
  /** The results of first checks, by owner and arguments: see `checkExtension`. */
  firstChecks: Map<string, ExtensionCheck>;
}

/** More extensions of one proxy are a mistake, for instance a mistyped year. */
const MAX_ROUNDS = 36;

/**
 * Checks the arguments of an extension, and puts the price into the plan. Spends nothing. If nothing was edited, the
 * service is not asked at all.
 */
export async function checkExtension(
  account: Account,
  memory: ExtensionMemory,
  owner: string,
  before: CheckedExtension | undefined,
  given: GivenInputs,
): Promise<ExtensionCheck> {
  const { args, failures } = parseExtensionArgs(given);
  if (failures.length > 0) return { checked: { ...args, owner }, failures };
  if (!isComplete<ExtensionArgs>(args, given)) return leaveOpen(account, owner, before, args);
  if (before && isCarriedOut(before) && isSame(before, args)) return keep(before, args);
  if (before) return planExtension(account, memory, owner, before, args);
  // The engine checks a resource that it will replace a second time, without old inputs, after the policies have seen
  // the first check. Both must say the same.
  const key = JSON.stringify([owner, args]);
  const known = memory.firstChecks.get(key);
  if (known) return known;
  const check = await planExtension(account, memory, owner, undefined, args);
  memory.firstChecks.set(key, check);
  return check;
}

/**
 * Whether the plan of the last check is paid, or was never saved. If only some of several extensions are paid and
 * saved, the listing says what is left. The same is true of a plan that has taken over what an earlier run had paid.
 */
export function isCarriedOut({ quote, rounds, takesOver }: CheckedExtension): boolean {
  if (quote.effect === "none") return true;
  return quote.effect === "extend" && rounds.length === 1 && takesOver === undefined;
}

/** Nothing is paid for, and nothing was edited. */
function keep(before: CheckedExtension, args: ExtensionArgs): ExtensionCheck {
  const { owner, requestId, addresses, orders } = before;
  const checked: CheckedExtension = {
    ...{ ...args, owner, requestId, addresses, orders },
    ...{ rounds: [], quote: { effect: "none" } },
  };
  return { checked, failures: [] };
}

async function planExtension(
  account: Account,
  { recover }: ExtensionMemory,
  owner: string,
  before: CheckedExtension | undefined,
  args: ExtensionArgs,
): Promise<ExtensionCheck> {
  const first = await findDeclared(account, args, before);
  const purchases = before === undefined ? [] : undefined;
  const taken = await recover(first.proxies, { owner, purchases });
  const kept = before && isCarriedOut(before) ? before : undefined;
  const payable = await findPayable(account, args, before, kept);
  const { proxies, places, records } = payable;
  const dated = proxies.filter(isDated);
  const failures = findUnusable(args, payable);
  const rounds = planRounds(args, dated);
  if (rounds.length > MAX_ROUNDS) failures.push(tooManyRounds(rounds.length, args));
  if (rounds.length > 0 || before?.rentPeriodDays !== args.rentPeriodDays) {
    const { proxyType, rentPeriodDays } = args;
    const notOffered = account.catalogue.failuresOf({ proxyType, rentPeriodDays });
    failures.push(...(await notOffered.catch(rethrowExplained)));
  }
  if (failures.length > 0) return { checked: { ...args, owner }, failures };
  assertWholeOrders(args.proxyType, proxies, records);

  const previous = before?.requestId ?? "";
  if (rounds.length === 0) {
    const requestId = before?.requestId ?? nameRequest(owner, previous, args);
    const quote = { effect: "none" } as const;
    const checked = { ...args, owner, requestId, ...places, rounds: [], quote };
    return { checked, failures, lines: [describePaid(args)] };
  }
  const requestId = nameRequest(owner, previous, args);
  const takesOver = taken.length > 0 ? ({ takesOver: true } as const) : {};
  return priceRounds(account, { ...args, owner, requestId, ...takesOver, ...places }, rounds);
}

function describePaid({ paidThrough }: Pick<ExtensionArgs, "paidThrough">): string {
  return `paid through ${paidThrough} already; nothing is bought`;
}

function nameRequest(owner: string, previous: string, args: ExtensionArgs): string {
  const { maxPrice: _cap, ...specification } = args;
  const ipAddressIds = args.ipAddressIds.toSorted();
  return makeRequestId(owner, previous, { ...specification, ipAddressIds });
}

function findUnusable(
  { proxyType }: ExtensionArgs,
  { missing, inPlace, proxies }: Declared,
): InputFailure[] {
  const property = "ipAddressIds";
  const failures: InputFailure[] = [];
  if (missing.length > 0) {
    const reason = `names ${proxyType} proxies that the account does not list: ${missing.join(", ")}. Take them out; they may have ended${inPlace}`;
    failures.push({ property, reason });
  }
  const endless = proxies.filter((proxy) => !isDated(proxy)).map((proxy) => proxy.ipAddressId);
  if (endless.length > 0) {
    const reason = `names proxies of which the service does not say yet until when they are paid: ${endless.join(", ")}. Run again when it does`;
    failures.push({ property, reason });
  }
  return failures;
}

function tooManyRounds(
  rounds: number,
  { paidThrough, rentPeriodDays }: ExtensionArgs,
): InputFailure {
  return {
    property: "paidThrough",
    reason: `${paidThrough} would take ${rounds} extensions by ${rentPeriodDays} days, and more than ${MAX_ROUNDS} at once are taken for a mistake. Give an earlier date or longer periods`,
  };
}

/** Not all is known yet, so neither is the price. Only the user's own cap is. */
async function leaveOpen(
  account: Pick<
    Account,
    "catalogue" | "service" | "settings" | "spendLimit" | "budget" | "balance" | "listing" | "clock"
  >,
  owner: string,
  before: CheckedExtension | undefined,
  args: Partial<ExtensionArgs>,
): Promise<ExtensionCheck> {
  const { proxyType, rentPeriodDays, maxPrice, ipAddressIds } = args;
  const notOffered = account.catalogue.failuresOf({ proxyType, rentPeriodDays });
  const failures = await notOffered.catch(rethrowExplained);
  if (failures.length > 0) return { checked: { ...args, owner }, failures };
  const carried = before && { requestId: before.requestId };
  const over = await findOver(account, args);
  if (over) {
    const checked = { ...args, ...carried, owner, quote: { effect: "none" } as const };
    return { checked, failures, lines: [describePaid(over)] };
  }
  const { balance, currency } = await account.service.getBalance().catch(rethrowExplained);
  const first = account.balance.first(balance);
  const quote: ExtensionQuote = {
    effect: "unknown",
    quantity: ipAddressIds?.length,
    priceAtMost: maxPrice,
    currency,
    ...(await quoteAccount(account, first)),
  };
  const checked = { ...args, ...carried, owner, quote };
  const lines = [`may extend ${describeKnown(args)}, ${describeOpenPrice(maxPrice, currency)}`];
  if (maxPrice === undefined) return { checked, failures, lines };
  const most = { price: maxPrice, currency, isCap: true };
  const shortage = await account.spendLimit.plan(owner, most, first);
  if (shortage) failures.push({ ...shortage, property: "maxPrice" });
  return { checked, failures, lines };
}

/** What is declared, if that time is over: then it costs nothing, whichever proxies are named. */
async function findOver(
  { listing, clock }: Pick<Account, "listing" | "clock">,
  { proxyType, paidThrough }: Partial<ExtensionArgs>,
): Promise<Pick<ExtensionArgs, "paidThrough"> | undefined> {
  if (proxyType === undefined || paidThrough === undefined) return undefined;
  const wantedMs = throughMs(paidThrough);
  // Even if this machine's clock is behind the service's.
  if (wantedMs > clock.now().getTime() + MOST_APART_MS) return undefined;
  const now = await readDecidingTime(listing, proxyType).catch(rethrowExplained);
  return wantedMs <= now.getTime() ? { paidThrough } : undefined;
}

/** What is to be extended, without what is not known yet. */
function describeKnown({ proxyType, ipAddressIds, paidThrough }: Partial<ExtensionArgs>): string {
  const count = ipAddressIds?.length;
  const words = [
    count,
    proxyType,
    count === 1 ? "proxy" : "proxies",
    ...(paidThrough === undefined ? [] : [`to at least ${paidThrough}`]),
  ];
  return words.filter((word) => word !== undefined).join(" ");
}
