import type { Account } from "../../account.ts";
import { type OrderQuote, quoteBudget } from "../../spending/quote.ts";
import { type GivenInputs, isComplete } from "../../values/inputs.ts";
import { nameOf } from "../../values/owner.ts";
import { changedForLater, changedIdentity, type OrderArgs, parseOrderArgs } from "../model/args.ts";
import { costBasisOf } from "../model/cost-basis.ts";
import type { OrderCheck } from "../model/order-check.ts";
import type { CheckedOrder } from "../model/state.ts";
import { nameUnclaimed, nameUnclaimedOfOthers } from "../recover/unclaimed.ts";
import { planPurchase } from "./change.ts";
import { checkPurchase } from "./check-purchase.ts";
import { checkResize } from "./check-resize.ts";
import type { OrderMemory } from "./memory.ts";

/**
 * Checks the arguments of an order, and puts the price into the plan. Spends nothing. If nothing would be bought and
 * nothing was edited, the service is not asked at all. So an order that the service no longer offers does not break
 * the run.
 */
export async function checkOrder(
  account: Account,
  memory: OrderMemory,
  owner: string,
  before: CheckedOrder | undefined,
  given: GivenInputs,
): Promise<OrderCheck> {
  const { registry } = account;
  registry.declare(owner);
  if (before) registry.hasPurchase(owner, before.requestId);
  const { args, failures } = parseOrderArgs(given);
  const alive = registry.requestIdOf(owner);
  const planned = planPurchase(before, args, given.unknown, alive !== undefined);
  const mayBuy = planned === "buy" || planned === "replace" || planned === "unknown";
  if (mayBuy || isEdited(before, args)) {
    failures.push(...(await account.catalogue.failuresOf(args)));
  }
  if (failures.length > 0) return { checked: { ...args, owner }, failures };

  if (planned === "none" && before) {
    await nameUnclaimed(account, owner, before);
    announceRecorded(account, owner, before, args);
    return keep(owner, before, args);
  }
  await nameUnclaimedOfOthers(account, owner);
  if (!isComplete<OrderArgs>(args, given)) return leaveOpen(account, owner, before, args);
  if (planned === "resize" && before) {
    announceRecorded(account, owner, before, args);
    return checkResize(account, memory, { ...args, owner }, before);
  }
  if (planned === "buy" || planned === "replace" || planned === "adopt") {
    return checkPurchase(account, memory, planned, { ...args, owner }, before);
  }
  throw new Error(`a check of known arguments can't come to "${planned}"`);
}

function isEdited(before: CheckedOrder | undefined, args: Partial<OrderArgs>): boolean {
  if (before === undefined) return false;
  return changedForLater(before, args).length > 0 || changedIdentity(before, args).length > 0;
}

/** Plans no purchase: the resource keeps the one that it has. */
function keep(owner: string, before: CheckedOrder, args: Partial<OrderArgs>): OrderCheck {
  const { requestId, holdings } = before;
  const quote: OrderQuote = { effect: "none", owned: costBasisOf(before) };
  return { checked: { ...args, owner, requestId, holdings, quote }, failures: [] };
}

/** Not all is known yet, so neither is the price. Only the user's own cap is. */
async function leaveOpen(
  account: Pick<Account, "service" | "settings" | "spendLimit" | "budget" | "balance">,
  owner: string,
  before: CheckedOrder | undefined,
  args: Partial<OrderArgs>,
): Promise<OrderCheck> {
  const { quantity, maxPrice } = args;
  const carried = before && { requestId: before.requestId, holdings: before.holdings };
  const quote: OrderQuote = {
    effect: "unknown",
    quantity,
    priceAtMost: maxPrice,
    budget: quoteBudget(await account.budget.beforeRun(), account.settings),
    owned: costBasisOf(before),
  };
  const checked = { ...args, ...carried, owner, quote };
  if (maxPrice === undefined) return { checked, failures: [] };
  const { balance, currency } = await account.service.getBalance();
  const shortage = await account.spendLimit.plan(
    owner,
    { price: maxPrice, currency },
    account.balance.first(balance),
  );
  return { checked, failures: shortage ? [{ property: "maxPrice", reason: shortage }] : [] };
}

function announceRecorded(
  { log }: Pick<Account, "log">,
  owner: string,
  before: CheckedOrder,
  args: Partial<OrderArgs>,
): void {
  const names = changedForLater(before, args);
  if (names.length === 0) return;
  log.info(
    `${nameOf(owner)}: ${names.join(", ")} recorded for the next purchase; nothing is bought`,
  );
}
