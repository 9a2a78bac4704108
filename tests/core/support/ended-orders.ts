import type { ProxyRecord } from "../../../provider/client/index.ts";
import { createAutoExtensionLifecycle } from "../../../provider/core/auto-extension/lifecycle.ts";
import type {
  AutoExtensionState,
  CheckedAutoExtension,
} from "../../../provider/core/auto-extension/state.ts";
import { createExtensionLifecycle } from "../../../provider/core/extension/lifecycle.ts";
import type { CheckedExtension } from "../../../provider/core/extension/model/state.ts";
import type { CheckedOrder, OrderState } from "../../../provider/core/order/model/state.ts";
import { isProxyRentalError } from "../../../provider/core/values/errors.ts";
import { moveEnds, record, showInstead } from "./fake-service.ts";
import { beginRun, given, ownerOf, type Run } from "./orders-under-test.ts";
import { beginRun as beginRenewals } from "./renewals-under-test.ts";

type Served = Pick<Run, "service">;

/** A month after the usual end. An extension by 30 days has not ended then. */
export const MONTH_LATER = new Date("2026-04-15T00:00:00Z");

export const none = (): ProxyRecord[] => [];

/** Five proxies, bought and delivered. Later changes are not in the state. */
export async function bought() {
  const run = beginRun();
  return { run, service: run.service, ...(await run.buy()) };
}

/** The same, with an order that is listed as L-1, whose number is 7005. */
export async function boughtAsL1() {
  const run = beginRun();
  const { service } = run;
  service.before.createOrder = async () => {
    service.records.push(...[1, 2, 3, 4, 5].map((number) => record("L-1", number)));
    return { orderNumber: "7005", promoCodeStatus: null, balance: service.balance };
  };
  const { state } = await run.buy();
  service.before = {};
  return { run, service, state };
}

export const later = ({ service }: Served, options = {}) => beginRun({ ...options, service });

/** An `IpAutoExtend` of these, in a separate run. */
export async function renew(
  { service }: Served,
  ipAddressIds: string[],
  owner = "org/urn::renewal",
  more: object = {},
): Promise<AutoExtensionState> {
  const { renewals } = beginRenewals({ service });
  const args = { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30, ...more };
  const { checked } = await renewals.check(owner, undefined, { known: args, unknown: new Set() });
  return renewals.create(checked as CheckedAutoExtension);
}

/** An `IpExtension` of these by 30 days, in a separate run. */
export async function extend(run: Served, ipAddressIds: string[]): Promise<void> {
  const extensions = createExtensionLifecycle(later(run).account);
  const args = {
    ...{ proxyType: "IPv4", ipAddressIds },
    ...{ rentPeriodDays: 30, paidThrough: "2026-04-29" },
  };
  const known = { known: args, unknown: new Set<string>() };
  const { checked } = await extensions.check("org/urn::keep", undefined, known);
  await extensions.create(checked as CheckedExtension);
}

/** What a later run reads of an order. */
export async function readPresent(
  run: Served,
  state: OrderState,
  options = {},
): Promise<OrderState> {
  const found = await later(run, options).orders.read(state);
  if (found.kind !== "present") throw new Error(`it is ${found.kind}`);
  return found.state;
}

/** An order with an `IpAutoExtend`, which its state knows. */
export async function renewing() {
  const { run, service, state: fresh } = await bought();
  const renewal = await renew(run, fresh.ipAddressIds);
  const state = await readPresent(run, fresh);
  if (!state.proxies.every(({ extendInfo }) => extendInfo.autoExtend)) throw new Error("it is on");
  const takeOut = (options = {}) =>
    createAutoExtensionLifecycle(later(run, options).account).delete(renewal);
  return { run, service, renewal, state, takeOut };
}

/**
 * Somebody extends these orders by hand. All listings are behind that, so that a refresh finds them gone. Then they are listed.
 * @returns the run of that refresh
 */
export async function foundGone({ service }: Served, ...states: OrderState[]): Promise<Run> {
  const behind = [...service.records];
  const ids = new Set(states.flatMap(({ ipAddressIds }) => ipAddressIds));
  moveEnds(service, [...ids], 30);
  service.now = new Date("2026-04-02T00:00:00Z");
  showInstead(service, "all", () => behind);
  const refresh = later({ service });
  for (const state of states) {
    const { kind } = await refresh.orders.read(state);
    if (kind !== "gone") throw new Error(`it is ${kind}`);
  }
  service.before = {};
  return refresh;
}

/** A run that names these in one of the settings about orders. */
export const settingsWith = (setting: "goneOrders" | "foreignOrders", ...names: string[]) => ({
  settings: { [setting]: new Set(names) },
});

/** What becomes of an order that is planned without a state. */
export interface BoughtAnew {
  /** How many orders are bought. */
  bought: number;
  /** Why none is; "" if nothing says so. */
  refusal: string;
}

/** Plans the same order without a state, and carries that out. */
export async function buyAnew(
  { service }: Served,
  args: object = {},
  options: object = {},
): Promise<BoughtAnew> {
  const before = service.calls.createOrder;
  const { orders } = later({ service }, options);
  const { checked, failures } = await orders.check(ownerOf("fleet"), undefined, given(args));
  let refusal = failures.map(({ reason }) => reason).join();
  if (failures.length === 0) {
    await orders.create(checked as CheckedOrder).catch((error: unknown) => {
      if (!isProxyRentalError(error)) throw error;
      refusal = error.message;
    });
  }
  return { bought: service.calls.createOrder - before, refusal };
}
