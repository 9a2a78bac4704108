import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Cost, calculateCost, isAbove } from "../../../cli/cost/planned-cost.ts";
import { readPreviewFile } from "../../../cli/cost/preview-file.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import {
  bought,
  dynamic,
  HUSH,
  orderInputs,
  owned,
  previewText,
  type StepText,
  step,
} from "./preview-document.ts";

async function costOf(steps: readonly StepText[], same = 1): Promise<Cost> {
  const file = join(await makeTemporaryFolder(), "preview.json");
  await writeFile(file, previewText(steps, { same }));
  const cost = calculateCost(await readPreviewFile(file));
  expect(JSON.stringify(cost)).not.toContain(HUSH);
  return cost;
}

/** The engine's text for a value that is not known yet. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const usd7 = { kind: "exact", amount: 7, currency: "USD" };
const nothing = { kind: "nothing" };
const extension = { type: dynamic("IpExtension") };
const autoExtension = { type: dynamic("IpAutoExtend") };
const cycle = { effect: "autoExtend", pricePerCycle: 7, currency: "USD" };
const paid = orderInputs(bought());

describe("what a step costs", () => {
  const purchases: [what: string, steps: StepText[], expected: object[]][] = [
    ["a purchase", [step(paid)], [{ action: "buy", quantity: 5, price: usd7 }]],
    [
      "a purchase of the other host",
      [step(paid, { type: "proxyrental:index:ProxyOrder" })],
      [{ action: "buy", price: usd7 }],
    ],
    [
      "another package's resource of the same name",
      [step(paid, { type: "other:index:ProxyOrder" })],
      [],
    ],
    [
      "growth",
      [
        step(orderInputs(bought({ effect: "topUp", quantity: 3, price: 4.2 })), {
          ...{ op: "update", old: paid },
        }),
      ],
      [{ action: "grow", quantity: 3, price: { amount: 4.2 } }],
    ],
    [
      "a replacement in one step",
      [
        step(orderInputs(bought({ effect: "replace" })), {
          op: "replace",
          old: paid,
          reasons: ["country"],
        }),
      ],
      [{ action: "replace", price: usd7, isUnexplained: false }],
    ],
    [
      "a replacement in three steps",
      [
        step(orderInputs(bought({ effect: "replace" })), {
          op: "create-replacement",
          old: paid,
          reasons: ["country"],
        }),
        step(orderInputs(bought({ effect: "replace" })), {
          op: "replace",
          old: paid,
          reasons: ["country"],
        }),
        step(undefined, { op: "delete-replaced", old: paid }),
      ],
      [{ action: "replace", price: usd7, isUnexplained: false }],
    ],
    [
      "a replacement that the provider took for a new order",
      [step(paid, { op: "replace", old: paid, reasons: ["id"] })],
      [{ action: "replace", price: usd7, isUnexplained: true }],
    ],
    [
      "a replacement without a reason",
      [step(paid, { op: "create-replacement", old: paid })],
      [{ action: "replace", isUnexplained: true }],
    ],
    [
      "a refreshed resource, then no step",
      [
        step(paid, { op: "refresh", old: paid }),
        step(orderInputs({ effect: "none", owned }), { op: "same", old: paid }),
      ],
      [],
    ],
    ["an unchanged resource, whatever its quote", [step(paid, { op: "same", old: paid })], []],
    [
      "an extension",
      [step(orderInputs(bought({ effect: "extend", price: 14 })), extension)],
      [{ action: "extend", quantity: 5, price: { amount: 14 } }],
    ],
    [
      "an extension that is already paid",
      [
        step(
          orderInputs({ effect: "none" }, { ipAddressIds: ["1", "2"], holdings: undefined }),
          extension,
        ),
      ],
      [{ action: "keep", quantity: 2, price: nothing }],
    ],
    ["a deleted extension", [step(undefined, { ...extension, op: "delete", old: paid })], []],
    [
      "a recovered order",
      [step(orderInputs(bought({ effect: "recover", price: 0, owned })))],
      [{ action: "takeOver", price: nothing }],
    ],
    [
      "a replacement that recovers a paid order",
      [
        step(orderInputs(bought({ effect: "recover", price: 0, owned })), {
          ...{ op: "replace", old: paid, reasons: ["id"] },
        }),
      ],
      [{ action: "takeOver", price: nothing, isUnexplained: false }],
    ],
    [
      "an adopted order",
      [step(orderInputs({ effect: "adopt" }))],
      [{ action: "takeOver", quantity: 5, price: nothing }],
    ],
    [
      "a deleted order",
      [step(undefined, { op: "delete", old: paid })],
      [{ action: "letGo", quantity: 5, price: nothing }],
    ],
    [
      "a capped price",
      [
        step(
          orderInputs(
            { effect: "unknown", priceAtMost: 5 },
            { quantity: UNKNOWN, holdings: undefined },
          ),
        ),
      ],
      [
        {
          action: "mayBuy",
          quantity: undefined,
          price: { kind: "atMost", amount: 5, currency: undefined },
        },
      ],
    ],
    [
      "an unknown price",
      [step(orderInputs({ effect: "unknown" }))],
      [{ action: "mayBuy", price: { kind: "unknown" } }],
    ],
    ["an unknown quote", [step(orderInputs(UNKNOWN))], [{ price: { kind: "unknown" } }]],
    ["no quote", [step(orderInputs(undefined))], [{ price: { kind: "unknown" } }]],
    [
      "a negative price",
      [step(orderInputs(bought({ price: -7 })))],
      [{ price: { kind: "unknown" } }],
    ],
    [
      "a quote of an unknown kind",
      [step(orderInputs(bought({ effect: "lease" })))],
      [{ price: { kind: "unknown" } }],
    ],
    [
      "secret inputs",
      [
        step(
          orderInputs(bought(), {
            country: "[secret]",
            rentPeriodDays: "[secret]",
            proxyType: "[secret]",
          }),
        ),
      ],
      [{ price: usd7, country: undefined, rentPeriodDays: undefined, proxyType: undefined }],
    ],
    [
      "inputs of the wrong form",
      [
        step(
          orderInputs(bought(), {
            country: HUSH,
            rentPeriodDays: HUSH,
            proxyType: HUSH,
            ipAddressIds: HUSH,
          }),
        ),
      ],
      [{ price: usd7, country: undefined }],
    ],
    ["an automatic extension", [step(orderInputs(cycle), autoExtension)], []],
  ];
  test.each(purchases)("%s", async (_what, steps, expected) => {
    expect((await costOf(steps)).purchases).toMatchObject(expected);
    expect((await costOf(steps)).purchases).toHaveLength(expected.length);
  });

  const ids = { ipAddressIds: ["1", "2", "3"] };
  const off = orderInputs({ effect: "none" }, ids);
  const on = orderInputs(cycle, ids);
  // A refresh has found what somebody did by hand. The quote stays that of the last plan.
  const foundOff = orderInputs(cycle, { ...ids, autoExtend: false });
  const foundOn = orderInputs({ effect: "none" }, { ...ids, autoExtend: true });
  const offLater = orderInputs(UNKNOWN, { ipAddressIds: UNKNOWN, autoExtend: false });
  const renewals: [what: string, steps: StepText[], expected: object[]][] = [
    ["begins", [step(on, autoExtension)], [{ isEnding: false, quantity: 3, pricePerCycle: 7 }]],
    [
      "begins for proxies that are not bought yet",
      [step(orderInputs(UNKNOWN, { ipAddressIds: UNKNOWN }), autoExtension)],
      [{ isEnding: false, quantity: undefined, pricePerCycle: undefined }],
    ],
    ["is off from the beginning", [step(off, autoExtension)], []],
    ["is off for proxies that are not bought yet", [step(offLater, autoExtension)], []],
    [
      "is switched off, and names proxies that are not bought yet",
      [step(offLater, { ...autoExtension, op: "update", old: on })],
      [{ isEnding: true, pricePerCycle: undefined }],
    ],
    [
      "that was found off is declared off",
      [step(off, { ...autoExtension, op: "update", old: foundOff })],
      [],
    ],
    [
      "that was found off is removed",
      [step(undefined, { ...autoExtension, op: "delete", old: foundOff })],
      [],
    ],
    [
      "that was found off begins again",
      [step(on, { ...autoExtension, op: "update", old: foundOff })],
      [{ isEnding: false, pricePerCycle: 7 }],
    ],
    [
      "that was found on is switched off again",
      [step(off, { ...autoExtension, op: "update", old: foundOn })],
      [{ isEnding: true }],
    ],
    [
      "is switched off",
      [step(off, { ...autoExtension, op: "update", old: on })],
      [{ isEnding: true }],
    ],
    [
      "is removed",
      [step(undefined, { ...autoExtension, op: "delete", old: on })],
      [{ isEnding: true }],
    ],
    ["goes on", [step(on, { ...autoExtension, op: "same", old: on })], []],
  ];
  test.each(renewals)("an automatic extension %s", async (_what, steps, expected) => {
    const cost = await costOf(steps);
    expect(cost.renewals).toMatchObject(expected);
    expect(cost.renewals).toHaveLength(expected.length);
    expect(cost).toMatchObject({ sums: [], unpriced: [], balance: undefined });
  });
});

describe("the sum, and the limit it is compared with", () => {
  const a = step(orderInputs(bought({ price: 0.1 })), { name: "a" });
  const b = step(orderInputs(bought({ price: 0.2 })), { name: "b" });
  const capped = step(orderInputs({ effect: "unknown", priceAtMost: 5 }), { name: "capped" });
  const open = step(orderInputs({ effect: "unknown" }), { name: "open" });
  const euro = step(orderInputs(bought({ currency: "EUR", price: 9, balance: undefined })), {
    name: "euro",
  });

  const sums: [
    what: string,
    steps: StepText[],
    sums: object[],
    limit: [under: number, at: number],
  ][] = [
    ["nothing", [], [], [0, 0]],
    ["cents, exactly", [a, b], [{ currency: "USD", price: 0.3, atMost: 0.3 }], [0.29, 0.3]],
    [
      "a cap in the currency of the others",
      [a, capped],
      [{ currency: "USD", price: 0.1, atMost: 5.1 }],
      [5.09, 5.1],
    ],
    ["only a cap", [capped], [{ currency: undefined, price: 0, atMost: 5 }], [4.99, 5]],
    [
      "two currencies, each with its sum",
      [a, euro],
      [
        { currency: "USD", price: 0.1, atMost: 0.1 },
        { currency: "EUR", price: 9, atMost: 9 },
      ],
      [8.99, 9],
    ],
    [
      "a cap without a currency counts in each",
      [a, capped, euro],
      [{ currency: "USD" }, { currency: undefined, atMost: 5 }, { currency: "EUR" }],
      [13.99, 14],
    ],
  ];
  test.each(sums)("%s", async (what, steps, expected, [under, at]) => {
    const cost = await costOf(steps);
    expect(cost.sums).toMatchObject(expected);
    expect(cost.sums).toHaveLength(expected.length);
    expect(isAbove(cost, at)).toBe(false);
    expect(isAbove(cost, under)).toBe(what !== "nothing");
  });

  test("an unknown sum is above any limit", async () => {
    const cost = await costOf([a, open]);
    expect(cost).toMatchObject({ unpriced: ["open"], sums: [{ price: 0.1 }] });
    expect(isAbove(cost, 1e9)).toBe(true);
  });

  test("the balance is what the run leaves, at least or at most, and is left out if the quotes have none", async () => {
    expect((await costOf([a, capped])).balance).toEqual({
      ...{ currency: "USD", before: 1000, after: 994.9, afterIs: "atLeast" },
    });
    expect((await costOf([a, b])).balance).toMatchObject({ after: 999.7, afterIs: "exact" });
    // Only the known prices are sure to leave the account.
    expect((await costOf([a, capped, open])).balance).toMatchObject({
      ...{ after: 999.9, afterIs: "atMost" },
    });
    const strangeCap = await costOf([a, capped, euro]);
    expect(strangeCap.balance).toMatchObject({ after: 999.9, afterIs: "atMost" });
    expect((await costOf([euro])).balance).toBeUndefined();
    const told = { effect: "unknown", currency: "USD", balance: 1000 };
    const openOnly = step(orderInputs(told), { name: "open" });
    const cappedOnly = step(orderInputs({ ...told, priceAtMost: 5 }), { name: "capped" });
    expect(await costOf([cappedOnly])).toMatchObject({
      sums: [{ currency: "USD", price: 0, atMost: 5 }],
      balance: { before: 1000, after: 995, afterIs: "atLeast" },
    });
    expect((await costOf([openOnly, cappedOnly])).balance).toMatchObject({
      ...{ after: 1000, afterIs: "atMost" },
    });
    // A step `same` repeats the plan of an earlier run.
    const old = step(paid, { op: "same", old: paid, name: "0" });
    expect((await costOf([old])).balance).toBeUndefined();
  });
});

test("the budget is what the quotes tell of it, and what is left after all that is priced or capped", async () => {
  const budget = { monthly: 500, spent: 436.99 };
  const planned = step(orderInputs(bought({ price: 58.01, budget })), { name: "a" });
  const capped = step(orderInputs({ effect: "unknown", priceAtMost: 5, budget }), { name: "b" });
  expect((await costOf([planned, capped])).budget).toEqual({
    ...{ currency: "USD", monthly: 500, spent: 436.99 },
    ...{ thisRun: 63.01, thisRunIs: "atMost", left: 0, leftIs: "atLeast", isShared: true },
  });
  const open = step(orderInputs({ effect: "unknown", budget }), { name: "o" });
  expect((await costOf([planned, capped, open])).budget).toMatchObject({
    ...{ thisRun: 58.01, thisRunIs: "atLeast", left: 5, leftIs: "atMost" },
  });
  // Another run has bought something between two plans.
  const later = step(orderInputs(bought({ budget: { monthly: 500, spent: 450 } })), { name: "c" });
  expect((await costOf([planned, later])).budget).toMatchObject({ spent: 450, left: 0 });
  const silent = step(orderInputs(bought({ budget: { monthly: 500 } })));
  expect((await costOf([silent])).budget).toEqual({
    ...{ currency: "USD", monthly: 500, spent: undefined },
    ...{ thisRun: 7, thisRunIs: "exact", left: undefined, leftIs: undefined, isShared: true },
  });
  expect((await costOf([capped])).budget).toMatchObject({ currency: undefined, thisRun: 5 });
  expect((await costOf([step(paid)])).budget).toBeUndefined();
  const euro = step(orderInputs(bought({ currency: "EUR", budget })), { name: "d" });
  expect((await costOf([planned, euro])).budget).toBeUndefined();
  const old = step(orderInputs(bought({ budget })), { op: "same", old: paid });
  expect((await costOf([old])).budget).toBeUndefined();
  const strange = step(orderInputs(bought({ budget: { monthly: UNKNOWN } })));
  expect(await costOf([strange])).toMatchObject({ budget: undefined, sums: [{ price: 7 }] });
});

describe("per 30 days", () => {
  const none = orderInputs({ effect: "none", owned });
  const rates: [what: string, steps: StepText[], held: [number, number], unrated?: string[]][] = [
    [
      "a purchase for 90 days",
      [step(orderInputs(bought({ price: 30 }), { rentPeriodDays: 90 }))],
      [0, 10],
    ],
    [
      "growth",
      [
        step(
          orderInputs(bought({ effect: "topUp", quantity: 3, price: 4.2, owned }), {
            holdings: { held: 8, released: [] },
          }),
          { op: "update", old: paid },
        ),
      ],
      [7, 11.2],
    ],
    [
      "a purchase, with a part of it let go",
      [
        step(orderInputs({ effect: "none", owned }, { holdings: { held: 2, released: [] } }), {
          ...{ op: "update", old: none },
        }),
      ],
      [7, 2.8],
    ],
    ["no change", [step(none, { op: "same", old: paid })], [7, 7]],
    [
      "a replacement",
      [step(orderInputs(bought({ effect: "replace", price: 8 })), { op: "replace", old: paid })],
      [7, 8],
    ],
    ["a deleted order", [step(undefined, { op: "delete", old: paid })], [7, 0]],
    [
      "a recovered order",
      [step(orderInputs({ effect: "recover", quantity: 5, price: 0, currency: "USD", owned }))],
      [0, 7],
    ],
    [
      "an extension adds nothing to what is held",
      [step(none, { op: "same", old: paid }), step(paid, extension)],
      [7, 7],
    ],
  ];
  test.each(rates)("%s", async (_what, steps, [before, after]) => {
    const { monthly } = await costOf(steps);
    expect(monthly).toEqual({
      held: [{ currency: "USD", before, after }],
      renewing: [],
      unrated: [],
    });
  });

  test("what an order that was taken over costs is unknown, also if it has grown", async () => {
    const five = { held: 5, released: [], adopted: 5 };
    const adopted = orderInputs({ effect: "none" }, { holdings: five });
    const grown = orderInputs(
      { effect: "topUp", quantity: 1, price: 1.4, currency: "USD" },
      { holdings: { ...five, held: 6 } },
    );
    const { monthly } = await costOf([step(grown, { op: "update", old: adopted, name: "old" })]);
    expect(monthly.held).toEqual([
      { currency: "USD", before: 0, after: 1.4, isBeforeOpen: true, isAfterOpen: true },
    ]);
    expect(monthly.unrated).toEqual(["old"]);
  });

  test("a renewal of proxies that are only planned costs at most what their orders cost", async () => {
    const { monthly } = await costOf([
      step(orderInputs(bought({ price: 7 }))),
      step(orderInputs(undefined), { ...autoExtension, name: "renew" }),
    ]);
    expect(monthly.renewing).toEqual([{ currency: "USD", before: 0, after: 7, isAtMost: true }]);
    expect(monthly.unrated).toEqual([]);
  });

  const renewed = (quote: unknown, autoExtend: boolean) => orderInputs(quote, { autoExtend });
  const renewing: [what: string, old: object | undefined, after: object, rates: object[]][] = [
    ["off for proxies that are only planned", undefined, renewed(UNKNOWN, false), []],
    [
      "switched off, for proxies that are only planned",
      renewed(cycle, true),
      renewed(UNKNOWN, false),
      [{ currency: "USD", before: 7, after: 0 }],
    ],
    [
      "found off by a refresh",
      renewed(cycle, false),
      renewed(cycle, true),
      [{ currency: "USD", before: 0, after: 7 }],
    ],
    ["off, with the quote of before", renewed(cycle, false), renewed(cycle, false), []],
    [
      "found on by a refresh, at a price that nobody has asked",
      renewed({ effect: "none" }, true),
      renewed(cycle, true),
      [{ currency: "USD", before: 0, after: 7, isBeforeOpen: true }],
    ],
  ];
  test.each(renewing)("a renewal that is %s", async (_what, old, after, rates) => {
    const order = step(paid, { name: "fleet" });
    const { monthly } = await costOf([
      order,
      step(after, {
        ...autoExtension,
        name: "renew",
        op: old ? "update" : "create",
        ...(old && { old }),
      }),
    ]);
    expect(monthly).toMatchObject({ renewing: rates, unrated: [] });
    expect(monthly.renewing).toHaveLength(rates.length);
  });

  test("renewals are counted apart from what is held", async () => {
    const on = orderInputs(
      { ...cycle, pricePerCycle: 21 },
      { rentPeriodDays: 90, ipAddressIds: ["1"] },
    );
    const gone = step(undefined, {
      ...autoExtension,
      op: "delete",
      old: orderInputs(cycle),
      name: "gone",
    });
    const { monthly } = await costOf([
      step(none, { op: "same", old: paid }),
      step(on, autoExtension),
      gone,
    ]);
    expect(monthly).toEqual({
      held: [{ currency: "USD", before: 7, after: 7 }],
      renewing: [{ currency: "USD", before: 7, after: 7 }],
      unrated: [],
    });
  });

  test("names resources without a known price, and counts steps that the preview does not list", async () => {
    const adopted = step(orderInputs({ effect: "adopt" }), { name: "adopted" });
    const open = step(orderInputs({ effect: "unknown", owned }), {
      name: "grown",
      op: "update",
      old: paid,
    });
    const later = step(orderInputs(UNKNOWN), { ...autoExtension, name: "keep" });
    const off = step(orderInputs({ effect: "none" }), { ...autoExtension, name: "off" });
    expect(await costOf([adopted, open, later, off], 4)).toMatchObject({
      monthly: { unrated: ["adopted", "grown", "keep"], held: [{ before: 7, after: 7 }] },
      hiddenCount: 3,
    });
  });
});
