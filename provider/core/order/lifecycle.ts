import type { SpendingAccount } from "../account.ts";
import { withListedEnds } from "../proxies/listed-ends.ts";
import type { OrderIntent } from "../records/intent.ts";
import { notePlan } from "../spending/previewed-price.ts";
import { noteRefusedPlan } from "../spending/refused-plan.ts";
import { isSpending } from "../values/effect.ts";
import { ProxyRentalError, rethrowExplained } from "../values/errors.ts";
import type { GivenInputs } from "../values/inputs.ts";
import { assertNobodyElses, type ImportedOrder, importOrder } from "./adopt/import.ts";
import { type ImportableOrder, listOrders } from "./adopt/list.ts";
import { createOrder } from "./apply/create.ts";
import { finishDelivery } from "./apply/delivery.ts";
import { letOrderGo } from "./apply/let-go.ts";
import { resizeOrder } from "./apply/resize.ts";
import type { OrderCheck } from "./model/order-check.ts";
import {
  type CheckedOrder,
  type OrderState,
  parseCheckedOrder,
  parseOrderState,
  recordEdits,
} from "./model/state.ts";
import { type OrderChange, planChange } from "./plan/change.ts";
import { checkOrder } from "./plan/check.ts";
import { lookForDiff } from "./plan/look-for-diff.ts";
import { showPlan } from "./plan/show.ts";
import { readOrder } from "./read/read.ts";
import { createRecognition } from "./read/recognition.ts";
import type { Reconciled } from "./read/reconcile.ts";
import { assertNoneLives } from "./recover/paid-before.ts";
import { createRecoverer } from "./recover/recover.ts";
import {
  nameUnclaimedBeside,
  nameUnclaimedOfOthers,
  resolveUnclaimed,
} from "./recover/unclaimed.ts";

/**
 * What an engine may ask of an order. Recorded inputs and outputs come as the engine kept them, and are parsed here.
 * Only `create` and `update` spend, and only what check has shown.
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
  /**
   * Throws if the listing leaves a doubt. Then the state stays as it is.
   * @param owner what the engine calls its state, which may be a former name; undefined where it does not say.
   */
  read(outputs: unknown, owner?: string): Promise<Exclude<Reconciled, { kind: "doubtful" }>>;
  /** Throws if there is no such order, or if another resource owns it. */
  import(owner: string, orderNumber: string): Promise<ImportedOrder>;
  /** The orders of the account that an import may name. Throws if they can't be listed in full. */
  list(query: Readonly<Record<string, unknown>>): Promise<ImportableOrder[]>;
  update(oldOutputs: unknown, checked: unknown): Promise<OrderState>;
  /** @param owner see `read`. */
  delete(outputs: unknown, owner?: string): Promise<void>;
}

/** Makes the lifecycle of an account's orders. */
export function createOrderLifecycle(account: SpendingAccount): OrderLifecycle {
  const { registry, journal } = account;
  const memory = { replacements: new Map(), recover: createRecoverer(account) };
  const { hold, leave, end, recognise, nameState, follow } = createRecognition(account);

  account.stacks.onceMet((...met) => nameUnclaimedOfOthers(account, ...met));

  /** Then what an earlier run has bought for it is in no other resource's way. */
  async function announceTakeOver(owner: string, { checked }: OrderCheck): Promise<void> {
    const effect = checked.quote?.effect;
    if (effect === "recover") await registry.noteRecovery(owner, checked.requestId);
    if (effect === "unknown") await registry.noteRecovery(owner, undefined);
  }

  /** What a resource would do is not told if it is refused. */
  function refuse(owner: string): Promise<void> {
    return account.story.plan(owner, { lines: [], isRefused: true });
  }

  /** A refresh compares before the program is asked. It may still take over what was lost. */
  async function nameLost(owner: string): Promise<OrderIntent[]> {
    return registry.isDeclared(owner) ? nameUnclaimedBeside(account, owner) : [];
  }

  /** Only with the state it is known that an order is not in it. So the check may have planned to buy beside it. */
  async function refuseBesideLost(
    owner: string,
    { quote, proxyType }: Partial<CheckedOrder>,
    lost: readonly OrderIntent[],
  ): Promise<void> {
    if (quote === undefined || proxyType === undefined || !isSpending(quote)) return;
    const isTopUp = quote.effect === "topUp";
    await assertNoneLives(account, { proxyType, isTopUp }, lost).catch(async (error: unknown) => {
      await noteRefusedPlan(account, owner);
      return rethrowExplained(error);
    });
  }

  return {
    async check(owner, oldInputs, given) {
      await account.runBeginning.note();
      await account.stacks.show(owner);
      const before = oldInputs === undefined ? undefined : parseCheckedOrder(oldInputs);
      await account.hearOthers();
      const check = await checkOrder(account, memory, owner, before, given).catch(
        async (error: unknown) => {
          await refuse(owner);
          return rethrowExplained(error);
        },
      );
      await announceTakeOver(owner, check);
      await showPlan(account, owner, check);
      await notePlan(account, owner, check);
      return check;
    },

    async diff(oldOutputs, wanted, unknown) {
      const state = await nameState(parseOrderState(oldOutputs), wanted.owner);
      await recognise(state);
      if (wanted.owner !== undefined) await follow(state);
      const lost = await nameLost(state.owner);
      const { now, records } = await lookForDiff(account, state, wanted, unknown);
      const known = { ...state, proxies: withListedEnds(state.proxies, records) };
      const change = planChange(known, wanted, unknown, now);
      if (change.kind !== "refused") {
        await refuseBesideLost(state.owner, wanted, lost);
        return change;
      }
      // A refresh compares the inputs of the last run with what it has just read. Nobody asks for a change then.
      if (!registry.isDeclared(state.owner)) return { kind: "update" };
      await noteRefusedPlan(account, state.owner);
      throw new ProxyRentalError(change.code, `${change.reason}.`);
    },

    async create(checked) {
      await journal.previewed.applies();
      const state = await createOrder(account, parseCheckedOrder(checked));
      // Two resources of one run may have planned to take one order over.
      if (!isSpending(state.quote)) await hold(state);
      return state;
    },

    async read(outputs, owner) {
      const state = await nameState(parseOrderState(outputs), undefined, owner);
      await recognise(state);
      await account.stacks.meetByRefresh(state.owner);
      const found = await readOrder(account, state);
      if (found.kind === "gone") await end(state);
      return found;
    },

    async import(owner, orderNumber) {
      const found = await importOrder(account, owner, orderNumber).catch(rethrowExplained);
      await assertNobodyElses(account, found.state);
      registry.noteImport(found.state);
      await recognise(found.state);
      return found;
    },

    list: (query) => listOrders(account, query).catch(rethrowExplained),

    async update(oldOutputs, checked) {
      await journal.previewed.applies();
      const wanted = parseCheckedOrder(checked);
      const state = await nameState(parseOrderState(oldOutputs), wanted.owner);
      await recognise(state);
      if (wanted.quantity !== state.quantity) {
        const resized = await resizeOrder(account, state, wanted);
        if (wanted.quote.effect === "recover") await hold(resized);
        return resized;
      }
      const recorded = recordEdits(state, wanted);
      return recorded.status === "pendingDelivery" ? finishDelivery(account, recorded) : recorded;
    },

    async delete(outputs, owner) {
      await journal.previewed.applies();
      // Another process may take anew what this state has.
      await account.hearOthers();
      const state = await nameState(parseOrderState(outputs), undefined, owner);
      const taken = await recognise(state);
      // This comes before the claims are read: of two that own an order and are deleted at once, the second lets it go.
      await leave(state, taken);
      try {
        await account.hearOthers();
        await letOrderGo(account, state, taken);
      } catch (error) {
        await recognise(state);
        throw error;
      } finally {
        await resolveUnclaimed(account, state.owner);
        await account.stacks.meet(state.owner);
      }
    },
  };
}
