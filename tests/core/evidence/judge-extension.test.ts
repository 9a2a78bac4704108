import { describe, expect, test } from "vitest";
import type { ProxyRecord } from "../../../provider/client/index.ts";
import { judgeExtension } from "../../../provider/core/evidence/judge-extension.ts";
import type { Window } from "../../../provider/core/evidence/weigh-balance.ts";
import { toKnown } from "../../../provider/core/proxies/address.ts";
import { extensionIntent } from "../records/intents.ts";
import { DATE_END, record } from "../support/fake-service.ts";

const before = [record("8000", 1), record("8000", 2)];

const intent = extensionIntent(before.map((one) => ({ ...toKnown(one), dateEnd: one.dateEnd })));

const MOVED = "2026-04-30T00:00:00.000+00:00";

function listed(...ends: (Partial<ProxyRecord> | undefined)[]): ProxyRecord[] {
  return ends.flatMap((more, index) =>
    more === undefined ? [] : [record("8000", index + 1, { dateEnd: DATE_END, ...more })],
  );
}

const moved = { dateEnd: MOVED };
const newIds = [
  { ...moved, ipAddressId: "new-1" },
  { ...moved, ipAddressId: "new-2" },
];

const E = "placed";
const N = "notPlaced";
const W = "wait";
const U = "unknown";

const decisions: [string, ProxyRecord[] | undefined, [string, string, string]][] = [
  ["the end of every proxy moved", listed(moved, moved), [W, E, E]],
  ["the ids changed and the addresses stayed", listed(...newIds), [W, E, E]],
  [
    "other orders have the addresses",
    listed(...newIds.map((one) => ({ ...one, orderId: "8001" }))),
    [W, U, U],
  ],
  ["no end moved", listed({}, {}), [W, N, N]],
  [
    "the ends are the same moment in another zone",
    listed({ dateEnd: "2026-03-31T02:00:00+02:00" }, {}),
    [W, N, N],
  ],
  ["an end is told with other seconds", listed({ dateEnd: "2026-03-31T00:00:30Z" }, {}), [W, N, N]],
  ["one end moved and one not", listed(moved, {}), [W, U, U]],
  ["one proxy is missing", listed(moved, undefined), [W, U, U]],
  ["one is missing and the other has not moved", listed({}, undefined), [W, U, U]],
  ["all are missing", listed(undefined, undefined), [W, U, U]],
  ["an end is unknown", listed(moved, { dateEnd: undefined }), [W, U, U]],
  [
    "the ends moved by two periods",
    listed(...[1, 2].map(() => ({ dateEnd: "2026-05-30T00:00:00Z" }))),
    [W, U, U],
  ],
  [
    "the ends moved back",
    listed(...[1, 2].map(() => ({ dateEnd: "2026-03-01T00:00:00Z" }))),
    [W, U, U],
  ],
  [
    "a month's end shifted them by two days",
    listed(moved, { dateEnd: "2026-04-28T00:00:00Z" }),
    [W, E, E],
  ],
  ["they moved by three days less", listed(moved, { dateEnd: "2026-04-27T00:00:00Z" }), [W, U, U]],
  ["the listing could not be read", undefined, [W, U, U]],
];

const windows: Window[] = ["open", "settled", "over"];

test.each(decisions)("%s, and the balance is unchanged", (_what, records, expected) => {
  const seen = { listed: records, balance: 100, explainedSpend: 0, hadTraces: false };
  expect(windows.map((window) => judgeExtension(intent, seen, window).kind)).toEqual(expected);
});

/** The balance of an account with 100 USD, after an extension of two proxies for 7 USD. */
const balances: [string, number | undefined, number][] = [
  ["fell by the price", 93, 0],
  ["fell by the price and by others' purchases", 73, 20],
  ["could not be read", undefined, 0],
  ["fell by the price twice", 86, 0],
  ["fell by another amount", 50, 0],
  ["rose", 150, 0],
];

const paid: [string, [string, string, string]] = [
  "is waited for, and never called not sent",
  [W, W, U],
];
const open: [string, [string, string, string]] = ["is never called not sent", [W, U, U]];

describe.each(balances)("if the balance %s", (_what, balance, explainedSpend) => {
  const judge = (records: ProxyRecord[] | undefined) =>
    windows.map(
      (window) =>
        judgeExtension(
          intent,
          { listed: records, balance, explainedSpend, hadTraces: false },
          window,
        ).kind,
    );
  const [promise, expected] = balance === 93 || explainedSpend > 0 ? paid : open;

  test("moved ends prove the extension, once it can no longer be carried out", () => {
    expect(judge(listed(moved, moved))).toEqual([W, E, E]);
  });

  test.each<[string, ProxyRecord[] | undefined]>([
    ["without a moved end", listed({}, {})],
    ["with one moved end", listed(moved, {})],
    ["with a missing proxy", listed({}, undefined)],
    ["with an unreadable listing", undefined],
  ])(`an extension %s ${promise}`, (_which, records) => {
    expect(judge(records)).toEqual(expected);
  });
});

test("the balance counts as unchanged if the journal's other purchases explain its fall", () => {
  const seen = { listed: listed({}, {}), balance: 80, explainedSpend: 20, hadTraces: false };
  expect(judgeExtension(intent, seen, "settled")).toEqual({ kind: "notPlaced" });
});

test("the balance proves nothing about a free extension", () => {
  const seen = { listed: listed({}, {}), balance: 100, explainedSpend: 0, hadTraces: false };
  expect(judgeExtension({ ...intent, price: 0 }, seen, "over")).toMatchObject({
    kind: "unknown",
    reason: expect.stringContaining("the extension was free"),
  });
});

test("an extension that was charged and is not listed: the reason says that it was charged", () => {
  const seen = { listed: listed({}, {}), balance: 93, explainedSpend: 0, hadTraces: false };
  expect(judgeExtension(intent, seen, "over")).toEqual({
    kind: "unknown",
    reason: "it was charged, and no end of its proxies has moved",
    hasTraces: true,
  });
});

test("a moved end at the address proves nothing if release 0.1.0 has not recorded the order", () => {
  const old = extensionIntent(
    intent.purchase.proxiesBefore.map(({ orderId: _none, ...rest }) => rest),
  );
  const seen = { listed: listed(...newIds), balance: 93, explainedSpend: 0, hadTraces: false };
  expect(judgeExtension(old, seen, "over").kind).toBe("unknown");
  expect(judgeExtension(old, { ...seen, listed: listed(moved, moved) }, "over").kind).toBe(E);
});

test("a moved end proves nothing if the end before is unknown", () => {
  const endless = extensionIntent([{ ipAddressId: "ip-1", address: "192.0.2.1 10001" }]);
  const seen = { listed: listed(moved), balance: undefined, explainedSpend: 0, hadTraces: false };
  expect(judgeExtension(endless, seen, "over").kind).toBe("unknown");
});
