import { describe, expect, test } from "vitest";
import { JournalError } from "../../../../provider/core/ports.ts";
import {
  buyAndDie,
  dieBeforeSending,
  expectOneOrder,
  phasesOf,
  reasonsOf,
} from "../../../journals/file/killed-runs.ts";
import { serviceFailure, showInstead, WHILE_PAID } from "../../support/fake-service.ts";
import {
  beginRun,
  failureOf,
  fiveProxies,
  given,
  ownerOf,
} from "../../support/orders-under-test.ts";

/** One look proves no absence. */
const BETWEEN_LOOKS_MS = 2_000;

const HOUR_MS = 3_600_000;

/** Several providers of one program, each in its own process. */
const oneRun = {
  run: { run: "127.0.0.1:4000", command: "up", phase: () => "update" as const },
  apiKey: "key-of-a",
} as const;

describe("a purchase that a killed run may have sent", () => {
  test("is bought once if the account shows nothing of it", async () => {
    const { service } = await dieBeforeSending();
    const next = beginRun({ service });
    const { inputs, state } = await next.buy();
    expect(inputs.quote.effect).toBe("buy");
    expect(state.orderNumber).toBe("7000");
    expect(service.orders).toHaveLength(1);
    expect(await phasesOf(next)).toEqual(["notPlaced", "returned"]);
  });

  test("is watched until its answer was due, and only looked at twice if that time has passed", async () => {
    const { service } = await dieBeforeSending();
    const soon = beginRun({ service });
    await soon.plan();
    expect(soon.clock.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(85_000);
    const { service: other } = await dieBeforeSending();
    other.now = new Date(WHILE_PAID.getTime() + 600_000);
    const late = beginRun({ service: other });
    late.clock.advance(600_000);
    await late.plan();
    expect(late.clock.waits).toEqual([BETWEEN_LOOKS_MS]);
  });

  test.each([
    ["an hour ahead", HOUR_MS],
    ["40 days ahead", 40 * 24 * HOUR_MS],
    ["40 days behind", -40 * 24 * HOUR_MS],
  ])("is watched for as long, and no longer, if one answer is %s", async (_how, ms) => {
    const { service } = await dieBeforeSending();
    const sent = { ...fiveProxies, proxyType: "IPv4", authType: "LOGIN" } as const;
    let waitedMs = 0;
    const next = beginRun({
      service,
      onWait: () => {
        waitedMs = next.clock.waits.reduce((sum, one) => sum + one, 0);
        // The service was slow. It carries the order out now.
        if (waitedMs > 50_000 && service.orders.length === 0) void service.createOrder(sent);
      },
    });
    showInstead(
      service,
      [1],
      (rows) => rows,
      () => new Date(WHILE_PAID.getTime() + ms),
    );
    expect((await next.plan()).quote.effect).toBe("recover");
    expect(waitedMs).toBeLessThan(100_000);
  });

  test("stops the run if it was charged and not listed, and is recovered when it is listed", async () => {
    const run = beginRun({ service: { deliverAtOnce: 0 } });
    const planned = await run.plan();
    run.journal.store.replace = async () => {
      throw new JournalError("unavailable", "the process is gone");
    };
    await failureOf(run.orders.create(planned));
    const { service } = run;
    for (const name of ["fleet", "other"]) {
      expect(await reasonsOf(beginRun({ service }), name)).toContain("it was charged");
    }
    service.deliverAll();
    expect((await beginRun({ service }).buy()).state.orderNumber).toBe("7000");
    expectOneOrder(service);
  });

  test("of two resources is recovered for each", async () => {
    const { service } = await buyAndDie("sending", { run: beginRun({ ...oneRun }) });
    await buyAndDie("sending", {
      run: beginRun({ ...oneRun, service, besideOthers: true, settings: { lookBackMinutes: 0 } }),
      name: "other",
    });
    const next = beginRun({ service });
    const [first, second] = [await next.buy(), await next.buy("other")];
    expect([first, second].map(({ inputs }) => inputs.quote.effect)).toEqual([
      "recover",
      "recover",
    ]);
    expect([first, second].map(({ state }) => state.orderNumber)).toEqual(["7000", "7001"]);
    expect(service.orders).toHaveLength(2);
  });

  test("and that two runs judge at the same time, stops neither of them", async () => {
    const { service } = await dieBeforeSending();
    const first = beginRun({ service });
    const second = beginRun({ service, besideOthers: true });
    const { store } = second.journal;
    const { readAll } = store;
    store.readAll = async () => {
      store.readAll = readAll;
      const all = await readAll();
      expect((await first.plan("a")).quote.effect).toBe("buy");
      return all;
    };
    expect((await second.plan("b")).quote.effect).toBe("buy");
    expect(await phasesOf(second)).toEqual(["notPlaced"]);
  });

  test.each([
    ["a", "b"],
    ["b", "a"],
  ])(
    "is distinguished from later purchases of others, by money too: %s, then %s",
    async (one, two) => {
      const { service } = await dieBeforeSending(one, beginRun({ ...oneRun }));
      const passMinute = () => {
        service.now = new Date((service.now ?? WHILE_PAID).getTime() + 60_000);
      };
      const settings = { lookBackMinutes: 0 };
      passMinute();
      const beside = beginRun({ service, besideOthers: true, settings });
      const other = ownerOf("other").replace(":dev:", ":test:");
      const { checked } = await beside.orders.check(other, undefined, given({ country: "DEU" }));
      await beside.orders.create(checked);
      passMinute();
      await dieBeforeSending(two, beginRun({ ...oneRun, service, besideOthers: true, settings }));
      const next = beginRun({ service });
      expect((await next.plan(one)).quote.effect).toBe("buy");
      expect(await phasesOf(next)).toEqual(["notPlaced", "notPlaced", "returned"]);
    },
  );

  test("is not mistaken for an earlier order with a wrong time", async () => {
    const earlier = beginRun();
    const { service } = earlier;
    service.now = new Date(WHILE_PAID.getTime() + 3 * HOUR_MS);
    await earlier.buy("earlier", { goal: "another one" });
    service.now = WHILE_PAID;
    const run = beginRun({ service });
    const planned = await run.plan();
    // The order is charged, but it is not listed while the provider looks for it.
    service.before.createOrder = async () => {
      delete service.before.createOrder;
      service.balance -= 7;
      throw serviceFailure("unknown");
    };
    expect((await failureOf(run.orders.create(planned))).code).toBe("ORDER_OUTCOME_UNKNOWN");
    expect(await phasesOf(run)).toEqual(["returned", "unknown"]);
  });
});
