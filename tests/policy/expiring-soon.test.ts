import { expect, test } from "vitest";
import { defineExpiringSoon } from "../../policy/expiring-soon.ts";
import {
  extensionType,
  orderProps,
  stackViolationsOf,
  unknownObject,
} from "./policy-under-test.ts";

const policy = defineExpiringSoon(() => new Date("2026-06-01T00:00:00Z"));

function proxy(dateEnd: string | undefined, autoExtend = false): object {
  return { ipAddressId: "1", dateEnd, extendInfo: { autoExtend, extendDays: 30 } };
}

/** An order as it stands in a stack's state. */
function recorded(...proxies: object[]): object {
  return orderProps({ effect: "buy" }, { proxies, stateVersion: 1 });
}

test.each<[what: string, props: object]>([
  ["a distant end", recorded(proxy("2026-06-08T00:00:01.000+00:00"))],
  ["proxies with automatic extension", recorded(proxy("2026-06-02T00:00:00.000+00:00", true))],
  ["an unknown end", recorded(proxy(undefined))],
  ["unknown proxies", orderProps({}, { proxies: unknownObject })],
  ["proxies that are not bought yet", orderProps({})],
])("expiring-soon should pass: %s", async (_what, props) => {
  expect(await stackViolationsOf(policy, [{ props }])).toEqual([]);
});

test.each<[end: string, severity: string, config: object]>([
  ["2026-06-08T00:00:00.000+00:00", "within 7 days", {}],
  ["2026-06-08T00:00:00.000+00:00", "severity low", {}],
  ["2026-06-04T00:00:00.000+00:00", "severity medium", {}],
  ["2026-06-02T00:00:00.000+00:00", "severity high", {}],
  ["2026-05-31T00:00:00.000+00:00", "have ended", {}],
  ["2026-06-28T02:00:00.000+02:00", "severity low", { low: 27 }],
])("expiring-soon should fail: an end at %s, %s", async (end, says, config) => {
  const far = proxy("2027-01-01T00:00:00.000+00:00");
  const said = await stackViolationsOf(policy, [{ props: recorded(far, proxy(end)) }], config);
  expect(said).toEqual([expect.stringContaining(says)]);
  expect(said[0]).toMatch(/^fleet: 1 of 2 proxies /);
});

test("only orders are checked", async () => {
  const props = recorded(proxy("2026-06-02T00:00:00.000+00:00"));
  expect(await stackViolationsOf(policy, [{ props, type: extensionType }])).toEqual([]);
});
