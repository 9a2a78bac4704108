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
  const ways = `Either ${adviseTaking(intent, isTopUp)}, or, if it is accounted for elsewhere, ${adviseResolving(intent, isHandedOver)}`;
  return `${happened}. Nothing was bought now.${wait} ${ways}`;
}

/** If it may be several orders, none is advised: that could put one order into two states. */
function adviseTaking(intent: OrderIntent, isTopUp: boolean): string {
  const [only, another] = intent.candidates ?? [];
  const name = nameForPeople(intent);
  if (name !== undefined || isPlaced(intent)) return adviseAdoption(name, isTopUp);
  if (another !== undefined) {
    return `find out which of them is this resource's, and ${adviseAdoption("ITS NUMBER", isTopUp)}`;
  }
  const again = only === undefined ? "run `pulumi up` again to look anew, or " : "";
  return `${again}${adviseAdoption(only, isTopUp)}`;
}
