import type { SpendingAccount } from "../../core/account.ts";
import { DeliveryPendingError } from "../../core/order/apply/delivery.ts";
import { createOrderLifecycle } from "../../core/order/lifecycle.ts";
import { type HostedResource, SavedFailure } from "./hosted-resource.ts";

/** ProxyOrder for engines. */
export function hostProxyOrder(account: SpendingAccount): HostedResource {
  const orders = createOrderLifecycle(account);
  return {
    async check(owner, oldInputs, given) {
      const { checked, failures } = await orders.check(owner, oldInputs, given);
      return { inputs: checked, unknown: [], failures };
    },

    async diff(oldOutputs, { known, unknown }) {
      const change = await orders.diff(oldOutputs, known, unknown);
      return change.kind === "replace" ? { ...change, deleteBeforeReplace: false } : change;
    },

    async create(inputs) {
      const state = await orders.create(inputs).catch(keepPaid);
      return { id: state.orderNumber, state };
    },

    async read(outputs, owner) {
      const found = await orders.read(outputs, owner);
      return found.kind === "gone" ? undefined : found;
    },

    async import(owner, id) {
      const { state, inputs } = await orders.import(owner, id);
      return { id: state.orderNumber, state, inputs };
    },

    list: (query) => orders.list(query),

    update: (oldOutputs, inputs) => orders.update(oldOutputs, inputs).catch(keepPaid),

    delete: (outputs, owner) => orders.delete(outputs, owner),
  };
}

/** An order that is paid but not delivered is saved with its number. */
function keepPaid(error: unknown): never {
  if (!(error instanceof DeliveryPendingError)) throw error;
  throw new SavedFailure(error, error.state.orderNumber, error.state);
}
