import { describe, expect, test } from "vitest";
import { JournalError, type RunIdentity } from "../../../../provider/core/ports.ts";
import {
  beginRun,
  dieBeforeSending,
  given,
  owner,
  type Run,
  TWO_PERIODS,
} from "../../support/extensions-under-test.ts";
import { moveEnds, serviceFailure, WHILE_PAID } from "../../support/fake-service.ts";
import { failureOf } from "../../support/orders-under-test.ts";

/** One look proves no absence. */
const BETWEEN_LOOKS_MS = 2_000;

/** A run that is killed while its extension is on the way. The journal has then reached `phase`. */
async function extendAndDie(phase: "sending" | "placed" | "returned", run = beginRun()) {
  const { replace } = run.journal.store;
  run.journal.store.replace = async (next) => {
    const reached = phase === "returned" || next.phase === phase;
    if (!reached) throw new JournalError("unavailable", "the process is gone");
    return replace(next);
  };
  const inputs = await run.plan();
  await run.extensions.create(inputs);
  return { ...run, inputs };
}

const phasesOf = async (run: Run) =>
  (await run.account.journal.readAll()).map(({ phase, closedBecause }) => closedBecause ?? phase);

describe.each(["sending", "placed", "returned"] as const)(
  "an extension whose run was killed when the journal said %s",
  (phase) => {
    test("is found by its moved ends, planned as nothing, recorded, and not paid again", async () => {
      const { service } = await extendAndDie(phase);
      const next = beginRun({ service });
      const inputs = await next.plan();
      expect(inputs.quote).toEqual({ effect: "none" });
      const state = await next.extensions.create(inputs);
      expect(state.purchases).toMatchObject([{ price: 2, quantity: 2 }]);
      expect(service.extensions).toHaveLength(1);

      const last = beginRun({ service });
      const { drift } = await last.extensions.read(state);
      expect(drift).toBeUndefined();
      expect(await phasesOf(last)).toEqual(["confirmed"]);
      expect(service.extensions).toHaveLength(1);
    });

    test("leaves only the rest to pay", async () => {
      const { service } = await extendAndDie(phase);
      const next = beginRun({ service });
      const { state } = await next.extend({ paidThrough: TWO_PERIODS });
      expect(service.extensions).toHaveLength(2);
      expect(state.purchases).toHaveLength(2);
      expect(next.ends()[0]).toBe("2026-05-30");
    });

    test("is found if the service has changed the ids", async () => {
      const run = beginRun();
      run.service.renumbers = true;
      await extendAndDie(phase, run);
      const next = beginRun({ service: run.service });
      const { state } = await next.extend();
      expect(state).toMatchObject({ ipAddressIds: ["ip-1x", "ip-2x"], purchases: [{ price: 2 }] });
      expect(run.service.extensions).toHaveLength(1);
    });
  },
);

describe("an extension that was killed before it was sent", () => {
  test("is judged not placed when its answer is overdue, and then paid once", async () => {
    const { service } = await dieBeforeSending();
    const next = beginRun({ service });
    const inputs = await next.plan();
    expect(next.clock.waits.reduce((sum, ms) => sum + ms)).toBeGreaterThanOrEqual(85_000);
    expect(inputs.quote).toMatchObject({ effect: "extend", price: 2 });
    await next.extensions.create(inputs);
    expect(service.extensions).toHaveLength(1);
    expect((await phasesOf(next)).sort()).toEqual(["notPlaced", "returned"]);
  });

  test("is looked at twice if its answer is long overdue, and not waited for", async () => {
    const { service } = await dieBeforeSending();
    service.now = new Date("2026-03-02T00:00:00Z");
    const next = beginRun({ service });
    await next.extend();
    expect(next.clock.waits).toEqual([BETWEEN_LOOKS_MS]);
    expect(service.extensions).toHaveLength(1);
  });

  test.each([
    ["", WHILE_PAID],
    [", even if a later answer has a wrong time", new Date("2026-03-01T06:00:00Z")],
  ])("is not paid again if the service carries it out meanwhile%s", async (_also, told) => {
    const { service } = await dieBeforeSending();
    service.now = told;
    const next = beginRun({
      service,
      onWait: (waits) => {
        if (waits === 3) moveEnds(service, ["ip-1", "ip-2"], 30);
      },
    });
    expect((await next.plan()).quote).toEqual({ effect: "none" });
    expect(next.service.calls.extend).toBe(1);
  });
});

describe("an extension with only some of its ends moved", () => {
  async function leaveUnclear() {
    const { service, inputs } = await dieBeforeSending();
    moveEnds(service, ["ip-1"], 30);
    return { service, inputs };
  }

  test("stops every plan for these proxies, and the error names both ways out", async () => {
    const { service } = await leaveUnclear();
    const next = beginRun({ service });
    const stopped = await failureOf(next.plan());
    expect(stopped.code).toBe("ORDER_OUTCOME_UNKNOWN");
    expect(stopped.message).toContain("the ends of some of its proxies have moved");
    expect(stopped.message).toContain("run again later");
    expect(stopped.message).toMatch(/npx pulumi-proxyrental journal resolve [0-9a-f]{12}-1/);
    expect(await phasesOf(next)).toEqual(["unknown"]);
    const other = next.extensions.check("org/other", undefined, given({ ipAddressIds: ["ip-2"] }));
    expect((await failureOf(other)).code).toBe("ORDER_OUTCOME_UNKNOWN");
    expect(next.service.calls).toMatchObject({ extend: 1, calculateExtension: 2 });
  });

  test("stops an earlier plan for them, and does not stop other proxies", async () => {
    const { service, inputs } = await leaveUnclear();
    const next = beginRun({ service });
    expect((await failureOf(next.extensions.create(inputs))).code).toBe("ORDER_OUTCOME_UNKNOWN");
    await next.extend({ ipAddressIds: ["ip-3"] });
    expect(service.extensions.map(({ ipAddressIds }) => ipAddressIds)).toEqual([["ip-3"]]);
  });

  test("is recorded when the other ends have moved too", async () => {
    const { service } = await leaveUnclear();
    await failureOf(beginRun({ service }).plan());
    moveEnds(service, ["ip-2"], 30);
    const next = beginRun({ service });
    const { state } = await next.extend();
    expect(state.purchases).toMatchObject([{ price: 2 }]);
    expect(service.extensions).toEqual([]);
  });
});

test("an extension whose ends have all moved, but by less than its period, is left to a person", async () => {
  const { service } = await dieBeforeSending();
  moveEnds(service, ["ip-1", "ip-2"], 20);
  const next = beginRun({ service });
  for (const paidThrough of ["2026-04-29", TWO_PERIODS]) {
    expect((await failureOf(next.plan({ paidThrough }))).code).toBe("ORDER_OUTCOME_UNKNOWN");
  }
  expect(next.service.calls.extend).toBe(1);
});

test.each([
  ["was carried out", () => extendAndDie("sending"), 30],
  ["was not", () => dieBeforeSending(), 60],
])(
  "an extension that %s, and whose ends an automatic extension has moved since, stands in nobody's way: nobody can tell, and nothing is hidden",
  async (_, die, days) => {
    const { service } = await die();
    moveEnds(service, ["ip-1", "ip-2"], days);
    const next = beginRun({ service });
    const { quote } = await next.plan({ paidThrough: TWO_PERIODS });
    expect(quote.effect).toBe("none");
    expect(next.service.calls.extend).toBe(1);
    const [left] = await next.account.journal.readOpen();
    expect(left).toMatchObject({ phase: "unknown" });
  },
);

describe("an edit that a killed run has paid for, and that is taken back", () => {
  async function takeBack() {
    const first = beginRun();
    const { service } = first;
    const { inputs, state } = await first.extend();
    const killed = beginRun({ service });
    const edited = await killed.plan({ paidThrough: TWO_PERIODS }, inputs);
    const paid = Promise.withResolvers<void>();
    service.before.extend = async (...call) => {
      delete service.before.extend;
      await service.extend(...call);
      paid.resolve();
      return new Promise<never>(() => undefined);
    };
    void killed.extensions.update(state, edited);
    await paid.promise;
    killed.die();
    return { service, inputs, state, next: beginRun({ service }) };
  }

  const told = "has paid 2.00 USD for 30 more days of 2 IPv4 proxies";

  test("is told, and recorded by an update that buys nothing", async () => {
    const { service, inputs, state, next } = await takeBack();
    const again = await next.plan({}, inputs);
    expect(again.quote.effect).toBe("none");
    expect(await next.extensions.diff(state, again, new Set())).toEqual({ kind: "update" });
    expect(next.log.warnings.join("\n")).toContain(told);
    const updated = await next.extensions.update(state, again);
    expect(updated.purchases).toMatchObject([{ price: 2 }, { price: 2 }]);
    expect(service.extensions).toHaveLength(2);
    const later = beginRun({ service });
    const kept = await later.plan({}, again);
    expect(await later.extensions.diff(updated, kept, new Set())).toEqual({ kind: "none" });
    expect(await later.open()).toEqual([]);
  });

  test("is not confirmed by a preview that refreshes in one process and compares in another: it saves nothing", async () => {
    const { service, inputs, state, next } = await takeBack();
    await next.plan({ paidThrough: TWO_PERIODS }, inputs);
    const run: RunIdentity = {
      run: "127.0.0.1:4000",
      command: "preview",
      phase: () => "preview" as const,
    };
    const refresh = beginRun({ service, run, apiKey: "key" });
    const refreshed = await refresh.extensions.read(state);
    expect(refreshed.state.purchases).toHaveLength(2);
    const compare = beginRun({ service, run, apiKey: "key", besideOthers: true });
    const again = await compare.plan({}, inputs);
    await compare.extensions.diff(refreshed.state, again, new Set());
    await compare.account.journal.endRun();
    const later = beginRun({ service });
    expect(await later.extensions.diff(state, again, new Set())).toEqual({ kind: "update" });
    expect((await later.extensions.update(state, again)).purchases).toHaveLength(2);
  });

  test("is told when the resource is deleted", async () => {
    const { inputs, state, next } = await takeBack();
    await next.plan({}, inputs);
    await next.extensions.delete(state);
    expect(next.log.warnings.join("\n")).toContain(told);
  });
});

describe("while another run is paying for these proxies", () => {
  async function beginBeside() {
    const first = beginRun();
    let goOn: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => {
      first.service.before.extend = async () => {
        delete first.service.before.extend;
        resolve();
        await new Promise<void>((release) => {
          goOn = release;
        });
        return undefined;
      };
    });
    const inputs = await first.plan();
    const created = first.extensions.create(inputs);
    await sent;
    const beside = beginRun({ service: first.service, besideOthers: true });
    const end = async () => {
      goOn();
      await created;
    };
    return { first, beside, end };
  }

  test("nothing is planned, for any resource", async () => {
    const { beside, end } = await beginBeside();
    for (const name of [owner, "org/other"]) {
      const asked = beside.extensions.check(name, undefined, given({ ipAddressIds: ["ip-2"] }));
      expect((await failureOf(asked)).code).toBe("PURCHASE_IN_PROGRESS");
    }
    await end();
    expect(beside.service.extensions).toHaveLength(1);
  });

  test("an earlier plan pays only for the proxies that still fall short", async () => {
    const first = beginRun();
    const planned = await first.plan({ ipAddressIds: ["ip-1", "ip-2", "ip-3"] });
    const beside = beginRun({ service: first.service, besideOthers: true });
    const inputs = await beside.plan();
    // This run is an update. It shows no preview that would bind the other one.
    await beside.account.journal.previewed.applies();
    await first.extensions.create(planned);
    // This run looked at the account before the other one paid.
    const state = await beside.extensions.create(inputs);
    expect(state.paidUntil).toBe("2026-04-30T00:00:00.000Z");
    expect(first.service.extensions).toHaveLength(1);
    expect(first.ends()).toEqual(["2026-04-30", "2026-04-30", "2026-04-30", "2026-03-31"]);
  });
});

test("after an unknown extension the run plans and pays nothing more for its proxies", async () => {
  const run = beginRun();
  const inputs = await run.plan();
  run.service.before.extend = async () => {
    moveEnds(run.service, ["ip-1"], 30);
    throw serviceFailure("unknown");
  };
  expect((await failureOf(run.extensions.create(inputs))).code).toBe("ORDER_OUTCOME_UNKNOWN");
  expect((await failureOf(run.extensions.create(inputs))).code).toBe("ORDER_OUTCOME_UNKNOWN");
  expect((await failureOf(run.plan({}, { ...inputs, paidThrough: "2026-01-01" }))).code).toBe(
    "ORDER_OUTCOME_UNKNOWN",
  );
  expect(run.service.calls.extend).toBe(1);
});

test("a purchase that a refresh finds in the journal is recorded with the resource", async () => {
  const first = beginRun();
  const { state } = await first.extend();
  const next = beginRun({ service: first.service });
  const { state: read } = await next.extensions.read({ ...state, purchases: [] });
  expect(read.purchases).toEqual(state.purchases);
});
