import { isDone, isPlaced, nameForPeople, type OrderIntent } from "../../records/intent.ts";
import { formatMoney } from "../../values/money.ts";
import { describeOrder } from "../model/args.ts";
import { adviseAdoption, adviseResolving } from "../model/ways-out.ts";
import type { RecoveryStop } from "./plan-recovery.ts";

/** Says what stands in the way of a purchase, and every way out. */
export function explainStop(
  { intent, reason, isHandedOver = false }: Omit<RecoveryStop, "kind">,
  isTopUp: boolean,
): string {
  const { owner, price, currency, sentAt, orderNumber, candidates = [] } = intent;
  const what = `${describeOrder(intent.purchase.request)} for ${formatMoney(price, currency)}`;
  const bought = `bought ${what} for ${owner} at ${sentAt}`;
  const possible =
    candidates.length === 0 ? "" : `; orders that may be it: ${candidates.join(", ")}`;
  const happened =
    orderNumber === undefined
      ? `an earlier run may have ${bought}: ${reason}${possible}`
      : `an earlier run has ${bought} as order ${orderNumber}${isDone(intent) ? "" : " and has not finished"}: ${reason}`;
  const wait = isDone(intent) ? "" : " If that run goes on, wait until it has ended and run again.";
  const unless =
    isPlaced(intent) || isDone(intent)
      ? "it is accounted for elsewhere"
      : "it was not placed, or is accounted for elsewhere";
  const ways = `Either ${adviseTaking(intent, isTopUp)}, or, if ${unless}, ${adviseResolving(intent, isHandedOver)}`;
  return `${happened}. Nothing was bought now.${wait} ${ways}`;
}

/**
 * What may be an order of which nobody knows is named in the journal: it may have more proxies than are declared, and then it
 * can't be adopted. If it may be several, none is preferred: that could put one order into two states.
 */
function adviseTaking(intent: OrderIntent, isTopUp: boolean): string {
  const { id, candidates = [] } = intent;
  const name = nameForPeople(intent);
  if (name !== undefined || isPlaced(intent)) return adviseAdoption(name, isTopUp);
  if (candidates.length === 0) {
    return `run \`pulumi up\` again to look anew, or ${adviseAdoption(undefined, isTopUp)}`;
  }
  const [only = "", another] = candidates;
  const [look, number] =
    another === undefined
      ? [`look at order ${only} and, if it is this purchase, say so`, only]
      : ["find out which of them is this purchase, and say so", "NUMBER"];
  return `${look}: \`npx pulumi-proxyrental journal resolve ${id} --order ${number}\` (the next \`pulumi up\` takes it over)`;
}
