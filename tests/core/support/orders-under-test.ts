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

/** Arguments as the program gives them, with none unknown unless named. */
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
  /** Checks as at the first sight of a resource, and expects no failure. */
  plan(name?: string, args?: object): Promise<CheckedOrder>;
  /** Plans and buys. */
  buy(name?: string, args?: object): Promise<Bought>;
}

/** What the engine keeps of an order. */
export interface Bought {
  inputs: CheckedOrder;
  state: OrderState;
}

/** Begins a run; the service of another run may be given. */
export function beginRun(...options: Parameters<typeof openForTest>): Run {
  const opened = openForTest(...options);
  const orders = createOrderLifecycle(opened.account);
  const plan = async (name = "fleet", args = {}) => {
    const { checked, failures } = await orders.check(ownerOf(name), undefined, given(args));
    if (failures.length > 0) throw new Error(`not planned: ${JSON.stringify(failures)}`);
    // Without a failure and without anything unknown, all of it is there.
    return checked as CheckedOrder;
  };
  const buy = async (name = "fleet", args = {}) => {
    const inputs = await plan(name, args);
    return { inputs, state: await orders.create(inputs) };
  };
  return { ...opened, orders, plan, buy };
}

/** The error that a user must be told. */
export async function failureOf(action: Promise<unknown>): Promise<ProxyRentalError> {
  const error = await action.then(
    (value) => new Error(`it did not fail but gave ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (isProxyRentalError(error)) return error;
  throw error;
}
