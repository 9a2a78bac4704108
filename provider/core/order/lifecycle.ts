import type { Account } from "../account.ts";
import { ProxyRentalError, rethrowExplained } from "../errors.ts";
import type { OrderNames } from "../held-orders.ts";
import type { GivenInputs } from "../inputs.ts";
import { nameOf } from "../owner.ts";
import { traceOf } from "../previewed.ts";
import { type OrderChange, planChange } from "./change.ts";
import { checkOrder } from "./check.ts";
import { timeForReleases } from "./check-resize.ts";
import { createOrder } from "./create.ts";
import { awaitDelivery } from "./delivery.ts";
import { type ImportedOrder, importOrder } from "./import.ts";
import type { OrderCheck } from "./pricing.ts";
import { readOrder } from "./read.ts";
import type { Reconciled } from "./reconcile.ts";
import { createRecoverer } from "./recover.ts";
import { resizeOrder } from "./resize.ts";
import { retireOrder } from "./retire.ts";
import { createSightings } from "./sightings.ts";
import {
  type CheckedOrder,
  type OrderState,
  readCheckedOrder,
  readOrderState,
  recordEdits,
} from "./state.ts";

/**
 * What an engine may ask of an order. Recorded inputs and outputs come as the engine kept them and are
 * read here. Only `create` spends.
 */
export interface OrderLifecycle {
  check(owner: string, oldInputs: unknown, given: GivenInputs): Promise<OrderCheck>;
  /** Throws for an edit that is refused. */
  diff(
    oldOutputs: unknown,
    wanted: Partial<CheckedOrder>,
    unknown: GivenInputs["unknown"],
  ): Promise<Exclude<OrderChange, { kind: "refused" }>>;
  create(checked: unknown): Promise<OrderState>;
  /** Throws where the listing leaves a doubt: then the state stays as it is. */
  read(outputs: unknown): Promise<Exclude<Reconciled, { kind: "doubtful" }>>;
  /** Throws where there is no such order, or another resource of the run owns it. */
  import(owner: string, orderNumber: string): Promise<ImportedOrder>;
  update(oldOutputs: unknown, checked: unknown): Promise<OrderState>;
  delete(outputs: unknown): Promise<void>;
}

/** Makes the lifecycle of an account's orders. */
export function createOrderLifecycle(account: Account): OrderLifecycle {
  const sightings = createSightings(account.held);
  const memory = { sightings, recover: createRecoverer(account) };
  /** Orders that the engine's state will know when this run has gone well, and not before. */
  const imported = new Set<string>();

  /** What comes out of the engine's state is known there: it is nobody else's, and needs no recovery. */
  async function meet(state: OrderState): Promise<void> {
    sightings.saw(state.owner, state.requestId, state.orderIds);
    account.recordedEnds.saw([...state.proxies, ...state.released]);
    const bought = state.purchases.map(
      ({ orderNumber, orderIds }): OrderNames => [orderNumber, ...orderIds],
    );
    // A purchase says most exactly which listed id is which order's.
    await account.held.hold(state.owner, state.requestId, [
      [state.orderNumber, ...state.orderIds],
      ...bought,
    ]);
    for (const purchase of state.purchases) await account.journal.confirm(purchase);
    const { owner, orderNumber, orderIds, requestId } = state;
    if (imported.has(orderNumber)) return;
    // What was taken over may stand in the journal as somebody's purchase.
    const isBought = state.purchases.some((purchase) => purchase.orderNumber === orderNumber);
    await account.journal.confirm({
      ...{ orderNumber, requestId, at: "" },
      ...(!isBought && { takenOver: { owner, orderIds } }),
    });
  }

  return {
    async check(owner, oldInputs, given) {
      const before = oldInputs === undefined ? undefined : readCheckedOrder(oldInputs);
      account.declared.add(owner);
      await account.hearOthers();
      const check = await checkOrder(account, memory, owner, before, given).catch(rethrowExplained);
      const trace = traceOf(owner, check.checked);
      if (check.failures.length === 0 && trace) await account.journal.previewed.note(trace);
      return check;
    },

    async diff(oldOutputs, wanted, unknown) {
      const state = readOrderState(oldOutputs);
      await meet(state);
      const isResized = wanted.quantity !== state.quantity;
      const now = isResized ? await timeForReleases(account, state) : account.clock.now();
      const change = planChange(state, wanted, unknown, now);
      if (change.kind !== "refused") return change;
      // A refresh holds the inputs of the last run against what it has just read: nobody asks for anything.
      if (!sightings.isDeclared(state.owner)) return { kind: "update" };
      throw new ProxyRentalError(change.code, `${change.reason}.`);
    },

    async create(checked) {
      await account.journal.previewed.applies();
      return createOrder(account, readCheckedOrder(checked));
    },

    async read(outputs) {
      const state = readOrderState(outputs);
      await meet(state);
      const found = await readOrder(account, state);
      if (found.kind === "gone") {
        sightings.forget(state.owner);
        await account.held.end(state.owner);
      }
      return found;
    },

    async import(owner, orderNumber) {
      const found = await importOrder(account, owner, orderNumber).catch(rethrowExplained);
      for (const orderId of found.state.orderIds) {
        const rival = sightings.rivalOf(owner, orderId);
        if (rival !== undefined) throw ownedAlready(orderNumber, rival);
      }
      imported.add(orderNumber);
      await meet(found.state);
      return found;
    },

    async update(oldOutputs, checked) {
      await account.journal.previewed.applies();
      const state = readOrderState(oldOutputs);
      await meet(state);
      const wanted = readCheckedOrder(checked);
      if (wanted.quantity !== state.quantity) return resizeOrder(account, state, wanted);
      const recorded = recordEdits(state, wanted);
      return recorded.status === "pendingDelivery" ? awaitDelivery(account, recorded) : recorded;
    },

    async delete(outputs) {
      await account.journal.previewed.applies();
      const state = readOrderState(outputs);
      await meet(state);
      await retireOrder(account, state);
      const numbers = state.purchases.flatMap(({ orderNumber, orderIds }) => [
        orderNumber,
        ...orderIds,
      ]);
      const names = new Set([state.orderNumber, ...state.orderIds, ...numbers]);
      await account.journal.release(state.owner, names);
    },
  };
}

function ownedAlready(orderNumber: string, rival: string): ProxyRentalError {
  return new ProxyRentalError(
    "INPUT_INVALID",
    `order ${orderNumber} is owned by ${nameOf(rival)} already. Nothing was imported. Two resources can't own one order: deleting one would take it from the other.`,
  );
}
