import { describe, expect, test } from "vitest";
import type { ProxyRecord } from "../../../../provider/client/index.ts";
import type { OrderState } from "../../../../provider/core/order/model/state.ts";
import { readListed } from "../../../../provider/core/order/read/reconcile.ts";
import { AFTER_END, DATE_END, record, WHILE_PAID } from "../../support/fake-service.ts";
import { fiveRecords, orderState } from "../../support/recorded-order.ts";

const nobody: ReadonlySet<string> = new Set();

function read(
  records: ProxyRecord[],
  { state = orderState(), asOf = WHILE_PAID as Date | undefined, gone = nobody } = {},
) {
  return readListed(state, { records, asOf }, gone).value;
}

const renewing = { extendInfo: { autoExtend: true, extendDays: 30 } };
const neverToldItsEnd = (more: Partial<OrderState> = {}) =>
  orderState(more, fiveRecords({ dateEnd: undefined }));

const LATER = "2026-05-30T00:00:00.000+00:00";

describe("an order is present", () => {
  test("if all of it is listed, and there is no drift", () => {
    expect(read(fiveRecords())).toEqual({ kind: "present", state: orderState() });
  });

  test("with the service's changes: ends, flags, ids, logins", () => {
    const changed = fiveRecords({ dateEnd: LATER, ...renewing, ipAddressId: "x" }).map(
      (listed, index) => ({ ...listed, ipAddressId: `new-${index}` }),
    );
    const found = read(changed, { asOf: AFTER_END });
    expect(found).toEqual({ kind: "present", state: orderState({}, changed) });
  });

  test("among other orders' proxies", () => {
    const others = [record("8000", 11), record("8000", 12)];
    expect(read([...others, ...fiveRecords()])).toEqual({ kind: "present", state: orderState() });
  });

  test("while its ends are not known, whatever the clock says", () => {
    const endless = fiveRecords({ dateEnd: undefined });
    expect(read(endless, { asOf: AFTER_END })).toMatchObject({ kind: "present" });
  });

  test("while the service's time is unknown", () => {
    expect(read(fiveRecords(), { asOf: undefined })).toMatchObject({ kind: "present" });
  });
});

describe("an order whose delivery is pending stays pending", () => {
  const pending = orderState({ status: "pendingDelivery" }, fiveRecords().slice(0, 2));

  test.each([
    ["nothing", []],
    ["a part", fiveRecords().slice(0, 3)],
    ["all", fiveRecords()],
  ])("if a read finds %s of it", (_what, listed) => {
    const found = read(listed, { state: pending });
    const state = orderState({ status: "pendingDelivery" }, listed);
    expect(found).toEqual({ kind: "present", state });
  });
});

test("an order that was never seen delivered is gone when its paid time is over, and not before", () => {
  const pending = orderState({ status: "pendingDelivery" }, []);
  const at = (time: string) => read([], { state: pending, asOf: new Date(time) }).kind;
  expect(at("2026-03-31T23:59:59Z")).toBe("present");
  expect(at("2026-04-01T00:00:00Z")).toBe("gone");
  expect(read([], { state: pending, asOf: undefined }).kind).toBe("present");
  const one = (more = {}) => fiveRecords(more).slice(0, 1);
  expect(read(one(), { state: pending, asOf: AFTER_END }).kind).toBe("gone");
  for (const living of [{ dateEnd: LATER }, renewing]) {
    expect(read(one(living), { state: pending, asOf: AFTER_END }).kind).toBe("present");
  }
});

describe("an order is gone", () => {
  test.each([
    ["it is listed past its end", fiveRecords()],
    ["it is no longer listed, and its recorded end has passed", []],
    ["only other orders are listed, and its recorded end has passed", [record("8000", 11)]],
    ["some of it is listed past its end, the rest is no longer listed", fiveRecords().slice(0, 2)],
  ])("if %s", (_what, listed) => {
    expect(read(listed, { asOf: AFTER_END })).toEqual({ kind: "gone" });
  });

  test("a day after its paid time, if it is not listed and never had an end", () => {
    expect(read([], { asOf: AFTER_END, state: neverToldItsEnd() })).toEqual({ kind: "gone" });
  });

  test("at its exact end", () => {
    expect(read([], { asOf: new Date(DATE_END) })).toEqual({ kind: "gone" });
  });

  test("if a person declares it, and it is not listed before its end", () => {
    expect(read([], { gone: new Set(["7000"]) })).toEqual({ kind: "gone" });
    expect(read([], { gone: new Set(["7001"]) }).kind).not.toBe("gone");
  });

  test("if a person declares each of its proxies", () => {
    const ids = fiveRecords().map(({ ipAddressId }) => ipAddressId);
    expect(read([], { gone: new Set(ids) })).toEqual({ kind: "gone" });
    expect(read([], { gone: new Set(ids.slice(1)) }).kind).toBe("doubtful");
  });
});

describe("there is doubt, and never 'gone',", () => {
  test.each<[string, ProxyRecord[], Parameters<typeof read>[1]]>([
    ["an empty listing before the recorded end", [], {}],
    [
      "an empty listing a millisecond before the end",
      [],
      { asOf: new Date(Date.parse(DATE_END) - 1) },
    ],
    ["an empty listing without the service's clock", [], { asOf: undefined }],
    [
      "missing, no end was ever recorded, and its paid time ended less than a day ago",
      [],
      { asOf: new Date(AFTER_END.getTime() - 1), state: neverToldItsEnd() },
    ],
    [
      "missing, and neither an end nor a purchase was ever recorded",
      [],
      { asOf: AFTER_END, state: neverToldItsEnd({ purchases: [] }) },
    ],
    [
      "missing, no end was ever recorded, and auto-extension was on when last seen",
      [],
      { asOf: AFTER_END, state: orderState({}, fiveRecords({ dateEnd: undefined, ...renewing })) },
    ],
    [
      "missing after its end, with auto-extension on when last seen",
      [],
      { asOf: AFTER_END, state: orderState({}, fiveRecords(renewing)) },
    ],
    ["a part missing before its end", fiveRecords().slice(0, 4), {}],
    [
      "a part missing after its end, with auto-extension on",
      fiveRecords({ dateEnd: LATER }).slice(0, 4),
      { asOf: AFTER_END, state: orderState({}, fiveRecords(renewing)) },
    ],
    ["listed past its end with auto-extension on", fiveRecords(renewing), { asOf: AFTER_END }],
    ["no proxy was ever recorded", [], { asOf: AFTER_END, state: orderState({}, []) }],
  ])("with %s", (_what, listed, how) => {
    expect(read(listed, how)).toMatchObject({
      kind: "doubtful",
      reason: expect.stringContaining("7000"),
    });
  });

  test("says how many are missing", () => {
    expect(read(fiveRecords().slice(0, 3))).toMatchObject({
      reason: `2 of the 5 proxies of order 7000 are missing from the listing before their recorded end (${DATE_END})`,
    });
  });
});

describe("an order with expired proxies", () => {
  const ending = fiveRecords().map((listed, index) =>
    index < 2 ? listed : { ...listed, dateEnd: LATER },
  );
  const living = ending.slice(2);

  test.each([
    ["listed", ending],
    ["no longer listed", living],
  ])("is short by them, which is drift: %s", (_what, listed) => {
    const found = read(listed, { state: orderState({}, ending), asOf: AFTER_END });
    const state = orderState({ quantity: 3, holdings: { held: 3, released: [] } }, living);
    expect(found).toMatchObject({ kind: "present", state });
    expect(found).toHaveProperty("drift.quantity", 3);
    expect(found).toHaveProperty("drift.holdings", { held: 3, released: [] });
  });

  test("shows no further drift when it is read again", () => {
    const shrunk = orderState({ quantity: 3, holdings: { held: 3, released: [] } }, living);
    for (const listed of [ending, living]) {
      expect(read(listed, { state: shrunk, asOf: AFTER_END })).toEqual({
        kind: "present",
        state: shrunk,
      });
    }
  });

  test("keeps its purchases and its quote as they were", () => {
    const found = read(living, { state: orderState({}, ending), asOf: AFTER_END });
    const { purchases, quote, requestId } = orderState();
    expect(found).toMatchObject({ state: { purchases, quote, requestId } });
  });
});

describe("an order never counts as gone", () => {
  test.each([
    ["the same ids", (listed: ProxyRecord) => listed],
    ["new ids", (listed: ProxyRecord) => ({ ...listed, ipAddressId: `x${listed.ipAddressId}` })],
  ])("while its proxies are listed under another order, with %s", (_how, renamed) => {
    const moved = fiveRecords({ orderId: "9999", dateEnd: LATER }).map(renamed);
    expect(read(moved, { asOf: AFTER_END })).toMatchObject({ kind: "doubtful" });
  });

  test("because ended proxies are still listed", () => {
    const [one, two, ...ended] = fiveRecords();
    if (!one || !two) throw new Error("there are five");
    const living = [one, two].map((listed) => ({ ...listed, dateEnd: LATER }));
    const state = orderState({ quantity: 2, holdings: { held: 2, released: [] } }, living);
    const whole = read([...living, ...ended], { state, asOf: AFTER_END });
    expect(whole).toMatchObject({ kind: "present", state: { quantity: 2 } });
    expect(read(ended, { state, asOf: AFTER_END })).toMatchObject({ kind: "doubtful" });
    const short = read([...living.slice(0, 1), ...ended], { state, asOf: AFTER_END });
    expect(short).toMatchObject({ kind: "doubtful" });
  });
});
