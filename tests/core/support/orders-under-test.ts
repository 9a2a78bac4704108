import {
  createOrderLifecycle,
  type OrderLifecycle,
} from "../../../provider/core/order/lifecycle.ts";
import type { CheckedOrder, OrderState } from "../../../provider/core/order/model/state.ts";
import type { ProxyRentalError } from "../../../provider/core/values/errors.ts";
import { isProxyRentalError } from "../../../provider/core/values/errors.ts";
import type { GivenInputs } from "../../../provider/core/values/inputs.ts";
import { type AccountUnderTest, openForTest } from "./account-under-test.ts";

/** The arguments of five proxies. */
export const fiveProxies = {
  proxyType: "IPv4",
  country: "USA",
  quantity: 5,
  rentPeriodDays: 30,
  goal: "price monitoring",
};

/** Arguments as the program gives them. All are known, except those that are named as unknown. */
export function given(args: object = {}, ...unknown: string[]): GivenInputs {
  return { known: { ...fiveProxies, ...args }, unknown: new Set(unknown) };
}

/** The owner of a resource by this name. */
export function ownerOf(name: string): string {
  return `org/urn:pulumi:dev::fleet::proxyrental:ProxyOrder::${name}`;
}

/** One run of the provider. */
export interface Run extends AccountUnderTest {
  orders: OrderLifecycle;
  /** Checks a new resource. No check may fail. */
  plan(name?: string, args?: object): Promise<CheckedOrder>;
  /** Plans and buys. */
  buy(name?: string, args?: object): Promise<Bought>;
}

/** What the engine keeps of an order. */
export interface Bought {
  inputs: CheckedOrder;
  state: OrderState;
}

/** Begins a run. It can use the service of another run. */
export function beginRun(...options: Parameters<typeof openForTest>): Run {
  const opened = openForTest(...options);
  const orders = createOrderLifecycle(opened.account);
  const plan = async (name = "fleet", args = {}) => {
    const { checked, failures } = await orders.check(ownerOf(name), undefined, given(args));
    if (failures.length > 0) throw new Error(`not planned: ${JSON.stringify(failures)}`);
    // No check fails and all arguments are known, so the checked order is complete.
    return checked as CheckedOrder;
  };
  const buy = async (name = "fleet", args = {}) => {
    const inputs = await plan(name, args);
    return { inputs, state: await orders.create(inputs) };
  };
  return { ...opened, orders, plan, buy };
}

/** The error that an action must fail with. */
export async function failureOf(action: Promise<unknown>): Promise<ProxyRentalError> {
  const error = await action.then(
    (value) => new Error(`it did not fail but gave ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (isProxyRentalError(error)) return error;
  throw error;
}
