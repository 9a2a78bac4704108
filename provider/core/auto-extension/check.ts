import type { Contradiction } from "../account/declared-flags.ts";
import type { Account } from "../account.ts";
import { describeProxies, sameProxies } from "../proxies/proxy-args.ts";
import type { ShownPlan } from "../records/run-fact.ts";
import { perMonth } from "../spending/renewing.ts";
import { refuseWithoutStack } from "../spending/without-stack.ts";
import { rethrowExplained } from "../values/errors.ts";
import { type GivenInputs, type InputFailure, isComplete } from "../values/inputs.ts";
import { formatMoney } from "../values/money.ts";
import { nameOf } from "../values/owner.ts";
import { type AutoExtensionArgs, parseAutoExtensionArgs } from "./args.ts";
import {
  type AutoExtensionQuote,
  type CheckedAutoExtension,
  type FormerAutoExtension,
  parseFormerAutoExtension,
} from "./state.ts";
import { describeExtending } from "./tell.ts";

/**
 * The result of a check: inputs for preview and policies, or what is wrong with them. The quote is missing while the
 * proxies are not known yet.
 */
export interface AutoExtensionCheck {
  checked: Partial<CheckedAutoExtension>;
  failures: InputFailure[];
  /** What people are told of the plan: sentences without the resource's name. @default nothing */
  lines?: readonly string[];
  /** Whether it stays as it is. @default false */
  isKept?: boolean;
}

/** Checks the arguments of an automatic extension, and tells what it will cost. */
export async function checkAutoExtension(
  account: Account,
  owner: string,
  oldInputs: unknown,
  given: GivenInputs,
): Promise<AutoExtensionCheck> {
  const before = oldInputs === undefined ? undefined : parseFormerAutoExtension(oldInputs);
  const { args, failures } = parseAutoExtensionArgs(given);
  if (failures.length === 0 && isComplete<AutoExtensionArgs>(args, given)) {
    const contradiction = await account.declarations.declare(owner, args);
    if (contradiction) failures.push(refuseContradiction(contradiction));
  }
  if (before) await account.declarations.keep(owner, before);
  const kept = failures.length === 0 ? keptQuote(before, args) : undefined;
  if (kept) return { checked: { ...args, owner, quote: kept }, failures, isKept: true };
  const homeless = args.autoExtend === false ? undefined : refuseWithoutStack(owner);
  if (homeless) failures.push(homeless);
  const { proxyType, rentPeriodDays } = args;
  const notOffered = account.catalogue.failuresOf({ proxyType, rentPeriodDays });
  failures.push(...(await notOffered.catch(rethrowExplained)));
  if (failures.length > 0) return { checked: { ...args, owner }, failures };
  // No quote, and no placeholder either: a plan file would bind `up` to the placeholder.
  if (!isComplete<AutoExtensionArgs>(args, given)) {
    const lines = [...describeStop(before, args), ...describeOpen(args)];
    return { checked: { ...args, owner }, failures, lines };
  }
  const { quote, lines } = await quoteCycle(account, args);
  return {
    checked: { ...args, owner, quote },
    failures,
    lines: [...describeStop(before, args), ...lines],
  };
}

/** Tells people what a check has planned. A plan that is refused is told by its refusal. */
export async function showAutoExtension(
  { story, balance }: Pick<Account, "story" | "balance">,
  owner: string,
  { checked, failures, lines = [] }: AutoExtensionCheck,
): Promise<void> {
  if (failures.length > 0) return story.plan(owner, { lines: [], isRefused: true });
  await story.plan(owner, {
    lines: [...lines],
    renewing: renewingOf(checked),
    currency: checked.quote?.currency,
    balance: balance.beforeRun(),
  });
}

function renewingOf({
  proxyType,
  rentPeriodDays,
  autoExtend,
  quote,
}: Partial<CheckedAutoExtension>): ShownPlan["renewing"] {
  if (proxyType === undefined || autoExtend === false || quote?.effect === "none") return undefined;
  const { pricePerCycle } = quote ?? {};
  if (pricePerCycle === undefined || rentPeriodDays === undefined) return { proxyType };
  return { proxyType, amount: perMonth(pricePerCycle, rentPeriodDays) };
}

/** What no longer renews, by what was declared last. */
function describeStop(
  before: FormerAutoExtension | undefined,
  { autoExtend }: Partial<AutoExtensionArgs>,
): string[] {
  if (!before?.autoExtend || autoExtend !== false) return [];
  return [`will stop extending ${describeProxies(before.ipAddressIds.length, before.proxyType)}`];
}

function describeOpen({ proxyType, rentPeriodDays, autoExtend }: Partial<AutoExtensionArgs>) {
  if (autoExtend === false) return [];
  const days = rentPeriodDays === undefined ? "" : ` by ${rentPeriodDays} days`;
  return [
    `will extend ${proxyType ?? ""} proxies${days} each time they end; which ones is not known yet`,
  ];
}

/** Two resources that contradict each other would switch the same flag back and forth, run after run. */
function refuseContradiction({ ipAddressId, other, wants }: Contradiction): InputFailure {
  const wanted = wants.autoExtend ? `extended by ${wants.rentPeriodDays} days` : "not extended";
  return {
    property: "ipAddressIds",
    reason: `names proxy ${ipAddressId}, which ${nameOf(other)} declares to be ${wanted}: each would undo what the other does. Declare a proxy in one IpAutoExtend only`,
  };
}

/** What one extension of all these proxies would cost today. Too little money today is no failure. */
async function quoteCycle(
  { service, log }: Pick<Account, "service" | "log">,
  args: AutoExtensionArgs,
): Promise<{ quote: AutoExtensionQuote; lines: string[] }> {
  const { proxyType, ipAddressIds, rentPeriodDays } = args;
  if (!args.autoExtend) return { quote: { effect: "none" }, lines: [] };
  const { price, currency, warnings } = await service
    .calculateExtension({ proxyType, ipAddressIds, rentPeriodDays })
    .catch(rethrowExplained);
  const what = describeExtending(describeProxies(ipAddressIds.length, proxyType), args);
  if (price === null) {
    const untold = `will extend ${what}, at a price that the service does not tell`;
    return { quote: { effect: "autoExtend" }, lines: [untold] };
  }
  for (const { code, message } of warnings) {
    log.warn(`at present an extension would not go through: code ${code}, "${message}"`);
  }
  const line = `will extend ${what}, for ${formatMoney(price, currency)} a time at today's price`;
  return { quote: { effect: "autoExtend", pricePerCycle: price, currency }, lines: [line] };
}

/**
 * The quote of arguments that stay as they were. Undefined if there is none for them: a refresh of release 0.1.0 has left the
 * quote of what was on with what it has found off, and the other way round.
 */
function keptQuote(
  before: FormerAutoExtension | undefined,
  args: Partial<AutoExtensionArgs>,
): AutoExtensionQuote | undefined {
  if (before === undefined || !isSame(before, args)) return undefined;
  const effect = before.autoExtend ? "autoExtend" : "none";
  return before.quote?.effect === effect ? before.quote : undefined;
}

/** Whether the arguments of an automatic extension are as they were. */
export function isSame(before: FormerAutoExtension, after: Partial<CheckedAutoExtension>): boolean {
  return (
    before.proxyType === after.proxyType &&
    before.rentPeriodDays === after.rentPeriodDays &&
    before.autoExtend === after.autoExtend &&
    sameProxies(before.ipAddressIds, after.ipAddressIds ?? [])
  );
}
