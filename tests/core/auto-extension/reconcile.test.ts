import { describe, expect, test } from "vitest";
import {
  deviates,
  reconcile,
  toExtendedProxy,
} from "../../../provider/core/auto-extension/reconcile.ts";
import {
  type CheckedAutoExtension,
  recordAutoExtension,
} from "../../../provider/core/auto-extension/state.ts";
import { record } from "../support/fake-service.ts";

const on = { extendInfo: { autoExtend: true, extendDays: 30 } };
const off = { extendInfo: { autoExtend: false, extendDays: 0 } };

const checked: CheckedAutoExtension = {
  owner: "org/urn::renewal",
  proxyType: "IPv4",
  ipAddressIds: ["ip-1", "ip-2"],
  rentPeriodDays: 30,
  autoExtend: true,
  quote: { effect: "autoExtend", pricePerCycle: 2, currency: "USD" },
};
/** Its arguments, without the quote. */
const { quote: _, ...args } = checked;
const asWanted = [record("7000", 1, on), record("7000", 2, on)];
const state = recordAutoExtension(checked, asWanted.map(toExtendedProxy));

describe("reconcile", () => {
  test("finds no drift if all is as declared, in any order of the listing", () => {
    expect(reconcile(state, asWanted)).toEqual({ state });
    expect(reconcile(state, asWanted.toReversed())).toEqual({ state });
  });

  test.each([
    ["off", off, { autoExtend: false, rentPeriodDays: 30 }, { effect: "none" }],
    [
      "on for other days",
      { extendInfo: { autoExtend: true, extendDays: 90 } },
      { autoExtend: true, rentPeriodDays: 90 },
      { effect: "autoExtend" },
    ],
    [
      "on for an unknown time",
      { extendInfo: { autoExtend: true, extendDays: 0 } },
      { autoExtend: true, rentPeriodDays: 30 },
      checked.quote,
    ],
  ])("reports one proxy that is %s as drift of the whole resource", (_what, flag, drift, quote) => {
    const listed = [record("7000", 1, on), record("7000", 2, flag)];
    const found = reconcile(state, listed);
    expect(found.drift).toMatchObject({ ...args, ...drift });
    expect(found.state).toMatchObject({ ...drift, quote });
    expect(found.state.proxies[1]).toMatchObject(flag.extendInfo);
  });

  test("leaves out the quote while other flags are found than it was for", () => {
    const listed = [record("7000", 1, on), record("7000", 2, off)];
    const found = reconcile(state, listed);
    expect(found.drift).toEqual({ ...args, autoExtend: false });
    const again = reconcile(found.state, listed);
    expect(again).toEqual(found);
    expect(reconcile(again.state, asWanted).drift).toEqual(checked);
  });

  test("reports a flag that is on though it should be off", () => {
    const wanted = recordAutoExtension({ ...checked, autoExtend: false }, state.proxies);
    expect(reconcile(wanted, asWanted).drift).toMatchObject({ autoExtend: true });
    const still = [record("7000", 1, off), record("7000", 2, off)];
    expect(reconcile(wanted, still).drift).toBeUndefined();
  });

  test.each([
    ["one is off that should be on", true, [off, on]],
    ["one is on that should be off", false, [off, on]],
  ])(
    "reports the same drift at each refresh while %s, and none after it is put right",
    (_what, autoExtend, flags) => {
      const wanted = recordAutoExtension({ ...checked, autoExtend }, state.proxies);
      const listed = flags.map((flag, index) => record("7000", index + 1, flag));
      const first = reconcile(wanted, listed);
      expect(first.drift).toMatchObject({ autoExtend: !autoExtend });
      const second = reconcile(first.state, listed);
      expect(second).toEqual(first);
      const mended = listed.map((one) => ({ ...one, ...(autoExtend ? on : off) }));
      const healed = reconcile(second.state, mended);
      expect(healed.drift).toMatchObject({ autoExtend, rentPeriodDays: 30 });
      expect(reconcile(healed.state, mended)).toEqual({ state: healed.state });
    },
  );

  test("keeps proxies that are no longer listed, without drift", () => {
    expect(reconcile(state, asWanted.slice(0, 1))).toEqual({ state });
    expect(reconcile(state, [])).toEqual({ state });
  });

  test("finds a proxy by address and port when the service has changed its id", () => {
    const renamed = [record("7000", 1, { ...on, ipAddressId: "new-1" }), record("7000", 2, on)];
    const found = reconcile(state, renamed);
    expect(found.drift).toBeUndefined();
    expect(found.state.ipAddressIds).toEqual(["new-1", "ip-2"]);
    expect(found.state.proxies[0]?.ipAddressId).toBe("new-1");
  });
});

test.each([
  [true, 30, on, false],
  [true, 90, on, true],
  [true, 30, off, true],
  [false, 30, on, true],
  [false, 30, off, false],
  [false, 90, { extendInfo: { autoExtend: false, extendDays: 30 } }, false],
])(
  "wanted %s for %i days, listed %j: deviates %s",
  (autoExtend, rentPeriodDays, listed, expected) => {
    expect(deviates({ autoExtend, rentPeriodDays }, record("7000", 1, listed))).toBe(expected);
  },
);
