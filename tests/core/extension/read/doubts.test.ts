import { describe, expect, test } from "vitest";
import {
  beginRun,
  given,
  laterRun,
  owner,
  TWO_PERIODS,
} from "../../support/extensions-under-test.ts";
import { AFTER_END, showInstead } from "../../support/fake-service.ts";
import { beginRun as beginOrders, failureOf } from "../../support/orders-under-test.ts";

/** The listing as it was before the extension. */
const BEFORE = "2026-03-31T00:00:00.000+00:00";

const stale = (run: Pick<ReturnType<typeof beginRun>, "service">) =>
  showInstead(run.service, "all", (records) =>
    records.map((listed) => ({ ...listed, dateEnd: BEFORE })),
  );

describe("a listing with earlier ends than recorded never leads to a second payment", () => {
  test("a refresh keeps the recorded ends, and the next plan pays nothing", async () => {
    const run = await laterRun();
    stale(run);
    const { state, drift } = await run.extensions.read(run.state);
    expect(drift).toBeUndefined();
    expect(state.proxies).toEqual(run.state.proxies);
    const checked = await run.plan({}, run.inputs);
    expect((await run.extensions.diff(state, checked, new Set())).kind).toBe("none");
    expect(run.service.calls.extend).toBe(0);
  });

  test("an edit to a later date is refused: the old inputs hold until when it was paid", async () => {
    const first = await laterRun();
    await first.extensions.read(first.state);
    const run = { ...first, ...beginRun({ service: first.service }) };
    stale(run);
    const args = given({ paidThrough: TWO_PERIODS });
    const { code, message } = await failureOf(run.extensions.check(owner, run.inputs, args));
    expect(code).toBe("LISTING_INCONSISTENT");
    expect(message).toContain(`ip-1 until ${BEFORE}, recorded until 2026-04-29`);
    expect(message).toContain("The second: ");
    expect(run.service.calls).toMatchObject({ extend: 0, calculateExtension: 0 });
  });

  test("a new resource for the same proxies is refused: the journal holds the payment", async () => {
    const run = await laterRun();
    await run.extensions.read(run.state);
    const next = beginRun({ service: run.service });
    stale(next);
    const { code } = await failureOf(next.extensions.check("org/urn::another", undefined, given()));
    expect(code).toBe("LISTING_INCONSISTENT");
    expect(next.service.calls.extend).toBe(0);
  });

  test("an end that an order's state has seen in this run counts too", async () => {
    const first = beginOrders();
    const { state } = await first.buy();
    const run = beginRun({ service: first.service });
    await run.account.recordedEnds.saw(
      "IPv4",
      state.proxies.map((proxy) => ({ ...proxy, dateEnd: "2026-06-30T00:00:00Z" })),
    );
    expect((await failureOf(run.extensions.check(owner, undefined, given()))).code).toBe(
      "LISTING_INCONSISTENT",
    );
  });

  test("a listing with earlier ends than the order was paid for is refused: the journal holds them", async () => {
    const first = beginOrders();
    await first.buy();
    const run = beginRun({ service: first.service });
    showInstead(run.service, "all", (records) =>
      records.map((listed) => ({ ...listed, dateEnd: "2026-03-01T00:00:00.000+00:00" })),
    );
    const { code, message } = await failureOf(run.extensions.check(owner, undefined, given()));
    expect(code).toBe("LISTING_INCONSISTENT");
    expect(message).toContain("recorded until 2026-03-29");
    run.service.before = {};
    expect((await run.plan()).rounds).toMatchObject([{ quantity: 2 }]);
  });

  test("an update pays nothing, whatever was planned", async () => {
    const run = await laterRun();
    const planned = await run.plan({ paidThrough: TWO_PERIODS }, run.inputs);
    run.account.listing.invalidate();
    stale(run);
    const { code } = await failureOf(run.extensions.update(run.state, planned));
    expect(code).toBe("LISTING_INCONSISTENT");
    expect(run.service.calls.extend).toBe(0);
  });

  test("a single outdated listing is read again, and the plan goes on", async () => {
    const run = await laterRun();
    showInstead(run.service, [1], (records) =>
      records.map((listed) => ({ ...listed, dateEnd: BEFORE })),
    );
    const checked = await run.plan({ paidThrough: TWO_PERIODS, rentPeriodDays: 30 }, run.inputs);
    expect(checked.rounds).toMatchObject([{ quantity: 2 }]);
  });
});

describe("an unknown end", () => {
  test("never leads to a payment, and keeps the recorded one", async () => {
    const run = await laterRun();
    showInstead(run.service, "all", (records) =>
      records.map((listed) => ({ ...listed, dateEnd: undefined })),
    );
    expect(await run.extensions.read(run.state)).toEqual({ state: run.state });
    expect(await run.reasonsOf({ paidThrough: TWO_PERIODS }, run.inputs)).toEqual([
      expect.stringContaining("does not say yet until when they are paid: ip-1, ip-2"),
    ]);
    expect(run.service.calls.extend).toBe(0);
  });
});

describe("recorded proxies are not dropped", () => {
  test("because of one empty listing after their recorded end", async () => {
    const run = await laterRun();
    run.service.now = new Date("2026-05-15T00:00:00Z");
    showInstead(run.service, [1], () => []);
    expect((await failureOf(run.extensions.read(run.state))).code).toBe("LISTING_INCONSISTENT");
  });

  test("because of one wrong Date header", async () => {
    const first = beginRun();
    const { state } = await first.extend();
    const run = beginRun({ service: first.service, ownClock: true });
    const wrong = new Date(AFTER_END.getTime() + 60 * 86_400_000);
    showInstead(
      run.service,
      [1],
      () => [],
      () => wrong,
    );
    expect((await failureOf(run.extensions.read(state))).code).toBe("LISTING_INCONSISTENT");
  });
});
