import { isDone, type OrderIntent } from "../../records/intent.ts";

/** How a person takes an order over. A resource that has one can't take a second. */
export function adviseAdoption(orderNumber: string, isTopUp: boolean): string {
  const by = isTopUp ? " with a further ProxyOrder" : "";
  return `take it over${by} (adoptOrderNumber: "${orderNumber}")`;
}

/** How a person says that a purchase is accounted for: one that a state was seen to have can only be given up. */
export function adviseResolving(intent: OrderIntent): string {
  const { id, orderNumber } = intent;
  const foreign = `list ${orderNumber} in proxyrental:foreignOrders`;
  if (isDone(intent)) {
    return `say that it is no longer this resource's (\`npx pulumi-proxyrental journal resolve ${id} --released\`), or ${foreign}`;
  }
  const resolve = `resolve it in the journal: \`npx pulumi-proxyrental journal resolve ${id}\``;
  return orderNumber === undefined ? resolve : `${resolve}, or ${foreign}`;
}
