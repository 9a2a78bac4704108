import type { Account } from "../../core/account.ts";
import { DeliveryPendingError } from "../../core/order/delivery.ts";
import { createOrderLifecycle } from "../../core/order/lifecycle.ts";
import type { DynamicProvider } from "./dynamic-provider.ts";
import { throwSaved } from "./failure.ts";
import { type Props, readGiven, readOld, withoutUndefined, withUnknown } from "./wire.ts";

/** ProxyOrder as the dynamic provider process calls it: translation only. */
export function createProxyOrder(account: Account): DynamicProvider {
  const orders = createOrderLifecycle(account);

  return {
    async check(olds, news) {
      const { owner, given } = readGiven(news);
      const { checked, failures } = await orders.check(owner, readOld(olds), given);
      return { inputs: withUnknown(checked, news, given), failures };
    },

    async diff(_id, olds, news) {
      const { given } = readGiven(news);
      const change = await orders.diff(olds, given.known, given.unknown);
      if (change.kind === "none") return { changes: false };
      if (change.kind === "update") return { changes: true };
      return { changes: true, replaces: change.properties, deleteBeforeReplace: false };
    },

    async create(inputs) {
      const state = await orders.create(inputs).catch((error: unknown) => keepPaid(error, inputs));
      return { id: state.orderNumber, outs: withoutUndefined(state) };
    },

    async read(id, props) {
      const found = await orders.read(props);
      // To the engine, an empty id means that the resource is gone.
      if (found.kind === "gone") return { id: "" };
      const drift = found.drift && { inputs: withoutUndefined(found.drift) };
      return { id, props: withoutUndefined(found.state), ...drift };
    },

    async update(_id, olds, news) {
      const state = await orders
        .update(olds, news)
        .catch((error: unknown) => keepPaid(error, news));
      return { outs: withoutUndefined(state) };
    },

    delete: (_id, props) => orders.delete(props),
  };
}

/** An order that is paid but not delivered stays known by its number. */
function keepPaid(error: unknown, inputs: Props): never {
  if (!(error instanceof DeliveryPendingError)) throw error;
  throwSaved(error, error.state.orderNumber, error.state, inputs);
}
