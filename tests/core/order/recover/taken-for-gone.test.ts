import { describe, expect, test } from "vitest";
import type { CheckedOrder, OrderState } from "../../../../provider/core/order/model/state.ts";
import { bought, buyAnew, later, readPresent } from "../../support/ended-orders.ts";
import { moveEnds, record, showInstead, unlist } from "../../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf, type Run } from "../../support/orders-under-test.ts";

const settingsWith = (setting: "goneOrders" | "foreignOrders", ...names: string[]) => ({
  settings: { [setting]: new Set(names) },
});

/** Somebody has extended an order by hand. Every listing is behind that until it is shown. */
async function extendedUnseen() {
  const { run, service, state: fresh } = await bought();
  await run.buy("other");
  const state = await readPresent(run, fresh);
  const behind = [...service.records];
  moveEnds(service, state.ipAddressIds, 30);
  service.now = new Date("2026-04-02T00:00:00Z");
  showInstead(service, "all", () => behind);
  const showAll = () => {
    service.before = {};
  };
  return { run, service, state, showAll };
}

/** A run in which a refresh finds an order gone. */
async function findGone(run: Pick<Run, "service">, state: OrderState): Promise<Run> {
  const refresh = later(run);
  expect((await refresh.orders.read(state)).kind).toBe("gone");
  return refresh;
}

describe("271: a refresh reads listings that are behind an extension by hand, and finds the order gone; then it is listed:", () => {
  test("the next run does not buy it again, and says how to take it over", async () => {
    const { run, state, showAll } = await extendedUnseen();
    await findGone(run, state);
    showAll();
    const { bought: count, refusal } = await buyAnew(run);
    expect(count).toBe(0);
    expect(refusal).toContain(
      "a refresh has found it gone, and it is listed and paid until 2026-04-30T00:00:00.000Z",
    );
    expect(refusal).toContain('adoptOrderNumber: "7000"');
    expect(refusal).toContain("list 7000 in proxyrental:foreignOrders");
  });

  test("the same run does not buy it again", async () => {
    const { run, state, showAll } = await extendedUnseen();
    const { orders, account } = await findGone(run, state);
    showAll();
    account.listing.invalidate();
    const { failures } = await orders.check(ownerOf("fleet"), undefined, given());
    expect(failures.map(({ code }) => code)).toEqual(["ORDER_MAY_BE_PAID"]);
  });

  test("a purchase that was planned before it was listed is not sent", async () => {
    const { run, service, state, showAll } = await extendedUnseen();
    await findGone(run, state);
    const next = later(run);
    const { checked, failures } = await next.orders.check(ownerOf("fleet"), undefined, given());
    expect(failures).toEqual([]);
    showAll();
    const { code, message } = await failureOf(next.orders.create(checked as CheckedOrder));
    expect(code).toBe("ORDER_MAY_BE_PAID");
    expect(message).toContain("This purchase was not sent.");
    expect(service.calls.createOrder).toBe(2);
  });

  test("a person says that it is somebody else's: another one is bought", async () => {
    const { run, state, showAll } = await extendedUnseen();
    await findGone(run, state);
    showAll();
    const options = settingsWith("foreignOrders", "7000");
    expect(await buyAnew(run, {}, options)).toEqual({ bought: 1, refusal: "" });
  });

  test("a person takes it over: it is the resource's again", async () => {
    const { run, state, showAll } = await extendedUnseen();
    await findGone(run, state);
    showAll();
    const args = { adoptOrderNumber: "7000" };
    expect(await buyAnew(run, args)).toEqual({ bought: 0, refusal: "" });
  });
});

describe("271: an order that a refresh has found gone", () => {
  test("is listed with its past end: it is bought anew", async () => {
    const { run, service, state } = await bought();
    service.now = new Date("2026-04-02T00:00:00Z");
    await findGone(run, state);
    expect(await buyAnew(run)).toEqual({ bought: 1, refusal: "" });
  });

  test("was listed under another id than its number, which is another order's by now: it is bought anew", async () => {
    const run = beginRun();
    const { service } = run;
    service.before.createOrder = async () => {
      service.records.push(...[1, 2, 3, 4, 5].map((number) => record("L-1", number)));
      return { orderNumber: "7005", promoCodeStatus: null, balance: service.balance };
    };
    const { state } = await run.buy();
    expect(state).toMatchObject({ orderNumber: "7005", orderIds: ["L-1"] });
    service.before = {};
    service.now = new Date("2026-04-02T00:00:00Z");
    await findGone(run, state);
    service.records.push({ ...record("7005", 9), dateEnd: "2026-06-01T00:00:00Z" });
    expect(await buyAnew(run)).toEqual({ bought: 1, refusal: "" });
  });
});

describe("271: goneOrders names an order by its number, and its state is lost:", () => {
  test("the order lives: a refresh refuses the setting, and it is not bought twice", async () => {
    const { run, state } = await bought();
    const fresh = await readPresent(run, state);
    const options = settingsWith("goneOrders", "7000");
    expect((await failureOf(later(run, options).orders.read(fresh))).code).toBe(
      "CONFIGURATION_INVALID",
    );
    const { bought: count, refusal } = await buyAnew(run, {}, options);
    expect(count).toBe(0);
    expect(refusal).toContain("proxyrental:goneOrders declares it gone, and it is listed and paid");
  });

  test("the order is refunded and not listed: it is bought anew", async () => {
    const { run, service, state } = await bought();
    await readPresent(run, state);
    unlist(service, ({ orderId }) => orderId === "7000");
    const options = settingsWith("goneOrders", "7000");
    expect(await buyAnew(run, {}, options)).toEqual({ bought: 1, refusal: "" });
  });
});
