import { expect, test } from "vitest";
import { rowsUnder } from "../../support/docs.ts";
import { laterRun, TWO_PERIODS } from "../support/extensions-under-test.ts";

type LaterRun = Awaited<ReturnType<typeof laterRun>>;

/** The rows of the page that say what each edit of an extension does, and what it costs. */
const rows = rowsUnder("docs/edits.md", "edit of an `IpExtension`").map(
  ([what = "", happens = "", cost = ""]) => ({ what, happens, cost }),
);

/** Makes an edit on an extension that an earlier run has paid. Returns the price that its preview showed. */
type Scenario = (run: LaterRun) => Promise<number>;

const edited =
  (args: object): Scenario =>
  async ({ plan, extensions, inputs, state }) => {
    const planned = await plan(args, inputs);
    const { kind } = await extensions.diff(state, planned, new Set());
    if (kind === "update") await extensions.update(state, planned);
    return planned.quote.price ?? 0;
  };

const scenarios: Record<string, Scenario> = {
  "`paidThrough` later": edited({ paidThrough: TWO_PERIODS }),
  "`paidThrough` earlier": edited({ paidThrough: "2026-04-01" }),
  "`ipAddressIds`: proxies added": edited({ ipAddressIds: ["ip-1", "ip-2", "ip-3"] }),
  "`ipAddressIds`: proxies taken out": edited({ ipAddressIds: ["ip-1"] }),
  "`rentPeriodDays`, `promoCode`, `maxPrice`": async ({ plan, extensions, inputs, state }) => {
    const planned = await plan({ rentPeriodDays: 90, promoCode: "A", maxPrice: 1 }, inputs);
    expect(await extensions.diff(state, planned, new Set())).toEqual({ kind: "none" });
    return 0;
  },
  "removed from the program": async ({ extensions, state }) => {
    await extensions.delete(state);
    return 0;
  },
};

test("these tests have each row of the table of edits", () => {
  expect(rows.map(({ what }) => what)).toEqual(Object.keys(scenarios));
});

test.each(rows)("$what: $cost", async ({ what, cost }) => {
  const run = await laterRun();
  const { balance } = run.service;
  const endsBefore = run.ends();
  const shown = await scenarios[what]?.(run);
  const spent = Math.round((balance - run.service.balance) * 100) / 100;
  expect(spent).toBe(shown);
  expect(run.ends().every((end, index) => end >= (endsBefore[index] ?? ""))).toBe(true);
  if (cost === "0") expect(spent).toBe(0);
  else {
    expect(cost).toMatch(/^the price in the preview/);
    expect(spent).toBeGreaterThan(0);
  }
});
