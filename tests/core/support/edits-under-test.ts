import { DeliveryPendingError } from "../../../provider/core/order/apply/delivery.ts";
import type { CheckedOrder } from "../../../provider/core/order/model/state.ts";
import { type Bought, given, ownerOf, type Run } from "./orders-under-test.ts";

/** Plans an edit of a resource, as a preview does. No check may fail. */
export async function planEdit(
  { orders }: Run,
  { inputs, state }: Bought,
  args: object,
  name = "fleet",
): Promise<{ planned: CheckedOrder; change: string }> {
  const { checked, failures } = await orders.check(ownerOf(name), inputs, given(args));
  if (failures.length > 0) throw new Error(`not planned: ${JSON.stringify(failures)}`);
  const change = await orders.diff(state, checked, new Set());
  // No check fails and all arguments are known, so the checked order is complete.
  return { planned: checked as CheckedOrder, change: change.kind };
}

/** Plans an edit and carries it out. Returns what the engine keeps. */
export async function edit(run: Run, bought: Bought, args: object, name?: string): Promise<Bought> {
  const { planned, change } = await planEdit(run, bought, args, name);
  if (change === "none") return { inputs: planned, state: bought.state };
  if (change !== "update") throw new Error(`the edit is no update but: ${change}`);
  return { inputs: planned, state: await run.orders.update(bought.state, planned) };
}

/** Makes an edit whose purchase is not delivered in time. Returns what the engine still keeps of it. */
export async function editPending(run: Run, bought: Bought, args: object): Promise<Bought> {
  const { planned } = await planEdit(run, bought, args);
  try {
    await run.orders.update(bought.state, planned);
  } catch (error) {
    if (error instanceof DeliveryPendingError) return { inputs: planned, state: error.state };
    throw error;
  }
  throw new Error("it was delivered");
}

/** Refreshes. Returns what the engine keeps. */
export async function refresh({ orders }: Run, { inputs, state }: Bought): Promise<Bought> {
  const found = await orders.read(state);
  if (found.kind === "gone") throw new Error("it is gone");
  return { inputs: found.drift ?? inputs, state: found.state };
}
