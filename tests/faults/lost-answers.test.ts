import { describe, expect, it } from "vitest";
import type { Fault, FaultRule, Simulator } from "../../simulator/index.ts";
import { SHORT_DEADLINE_MS } from "../support/deadlines.ts";
import { openClosingDoor } from "./closing-door.ts";
import { type CoreScene, type CoreSceneOptions, createCoreScene, onlyOrder } from "./core-scene.ts";
import { expectDone, expectInvariants } from "./invariants.ts";
import { readIntents } from "./journal-files.ts";

const firstOrder = { endpoint: "createOrder", calls: [1] } as const;

const impatient: CoreSceneOptions = { timeoutMs: SHORT_DEADLINE_MS };

interface Lost {
  phase: FaultRule["phase"];
  faults: readonly Fault[];
  options?: CoreSceneOptions;
}

/** Runs an up in which the answer to the order is lost. */
async function loseAnswer({ phase, faults, options = {} }: Lost): Promise<CoreScene> {
  const scene = await createCoreScene(options);
  for (const fault of faults) scene.simulator.addFault({ ...firstOrder, phase, fault });
  await scene.up();
  expect(scene.simulator.faultsHit()).toBeGreaterThan(0);
  return scene;
}

/** Loses the answer to an order that was charged. The run must find the order in the account and go on with it. */
async function expectPlaced(lost: Omit<Lost, "phase">): Promise<CoreScene> {
  const scene = await loseAnswer({ phase: "after", ...lost });
  expectDone(scene.outcomes.at(-1));
  expect(scene.outcomes.at(-1)?.text).toContain("was placed: it is order");
  expect(scene.kept.get("fleet")?.outputs).toMatchObject({
    status: "active",
    orderNumber: onlyOrder(scene.simulator).orderNumber,
  });
  expect(await readIntents(scene.journalDir)).toMatchObject([{ phase: "returned" }]);
  await expectInvariants(scene, { charges: ["7.00"] });
  return scene;
}

/** Loses an order before the charge. The run must prove that nothing was bought, and the next run buys. */
async function expectNotPlaced(lost: Omit<Lost, "phase">): Promise<CoreScene> {
  const scene = await loseAnswer({ phase: "before", ...lost });
  expect(scene.outcomes.at(-1)?.text).toContain("ORDER_NOT_PLACED");
  expect(await readIntents(scene.journalDir)).toMatchObject([{ closedBecause: "notPlaced" }]);
  await expectInvariants(scene, { charges: [], orderCalls: 1, again: ["7.00"] });
  return scene;
}

const sold = (simulator: Simulator) => simulator.ledger().length;

it("2: reset before the charge: judged not placed by listing and balance, and bought in the next run", async () => {
  const scene = await loseAnswer({ phase: "before", faults: [{ kind: "reset" }] });
  expect(scene.outcomes.at(-1)?.text).toContain(
    "for 60 s no such order was listed, and the balance did not change",
  );
  // The run watched the whole window, so it would have seen a late order.
  expect(scene.outcomes.at(-1)?.tookMs).toBeGreaterThan(60_000);
  await expectInvariants(scene, { charges: [], orderCalls: 1, again: ["7.00"] });
});

it("3: reset after the charge, before the headers: placed, one order", async () => {
  await expectPlaced({ faults: [{ kind: "reset" }] });
});

it("4: hang, never charged: no order, and none sent again within the run", async () => {
  await expectNotPlaced({ faults: [{ kind: "hang" }], options: impatient });
});

it("5: hang, charged, the answer after the deadline: placed, and the late answer ignored", async () => {
  await expectPlaced({ faults: [{ kind: "delay", ms: 4_000 }], options: impatient });
});

it("6: late commit, charged 30 s after the client gave up, within the settling window: one order", async () => {
  const scene = await loseAnswer({
    phase: "after",
    faults: [{ kind: "lateCommit", afterMs: 30_000 }],
  });
  expectDone(scene.outcomes.at(-1));
  expect(scene.outcomes.at(-1)?.tookMs).toBeGreaterThan(30_000);
  await expectInvariants(scene, { charges: ["7.00"] });
});

it("6 B: late commit after a hang: the same", async () => {
  const scene = await loseAnswer({
    phase: "after",
    faults: [{ kind: "lateCommit", afterMs: 30_000 }, { kind: "hang" }],
    options: impatient,
  });
  expectDone(scene.outcomes.at(-1));
  await expectInvariants(scene, { charges: ["7.00"] });
});

it("6 C: charged only after the settling window: the next run finds an unknown order, and buys none", async () => {
  const scene = await loseAnswer({
    phase: "after",
    faults: [{ kind: "lateCommit", afterMs: 120_000 }],
  });
  expect(scene.outcomes.at(-1)?.text).toContain("ORDER_NOT_PLACED");
  scene.clock.skip(120_000);
  expect(sold(scene.simulator)).toBe(1);
  const { orderNumber } = onlyOrder(scene.simulator);
  const next = await scene.up();
  expect(next.text).toContain(`adoptOrderNumber: "${orderNumber}"`);
  // As far as could be seen, the order was not placed. So the journal tells less than was charged.
  const late = { charges: ["7.00"], journalTellsLess: true } as const;
  await expectInvariants(scene, { ...late, again: "stopped" });

  scene.rewrite({ fleet: { adoptOrderNumber: orderNumber } });
  await expectInvariants(scene, late);
});

it("7: truncated JSON after the charge: placed", async () => {
  await expectPlaced({ faults: [{ kind: "truncate" }] });
});

it("8 A: a web page with status 200 after the charge: placed", async () => {
  await expectPlaced({ faults: [{ kind: "garbage" }] });
});

it("8 B: a web page with status 200 before the charge: no order", async () => {
  await expectNotPlaced({ faults: [{ kind: "garbage" }] });
});

describe.each([500, 502, 503, 504])("status %i", (status) => {
  it("9 A: after the charge: placed", async () => {
    await expectPlaced({ faults: [{ kind: "status", status }] });
  });

  it("9 B: before the charge: no order, and no blind retry", async () => {
    await expectNotPlaced({ faults: [{ kind: "status", status }] });
  });
});

it("11 A: a redirect after the charge: not followed, placed", async () => {
  await expectPlaced({ faults: [{ kind: "redirect" }] });
});

it("11 B: a redirect before the charge: not followed, an error, no order", async () => {
  const scene = await expectNotPlaced({ faults: [{ kind: "redirect" }] });
  expect(scene.outcomes[0]?.text).toContain("307");
});

it("13: success without an orderNumber: unknown at first, then placed", async () => {
  const patch = ({ orderNumber: _, ...rest }: Readonly<Record<string, unknown>>) => rest;
  await expectPlaced({ faults: [{ kind: "answer", patch }] });
});

it("164 A: a refusal of an order that was charged: its own balance has fallen, so it is not believed, and the order is found", async () => {
  const error = { code: 99, message: "Internal error" };
  const patch = (answer: Readonly<Record<string, unknown>>) => ({
    ...answer,
    ...{ success: false, proxyType: null, orderNumber: null, error },
  });
  const { outcomes } = await expectPlaced({ faults: [{ kind: "answer", patch }] });
  expect(outcomes[0]?.text).toContain(
    'code 99, "Internal error"), yet the balance that it tells is lower by 7.00 USD than before',
  );
});

const fiveInUsa = { proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 } as const;

describe("22: a person buys with the same account meanwhile", () => {
  it.each([
    ["another country", { country: "DEU" }],
    ["more proxies", { quantity: 7 }],
  ])(
    "22 A: %s, and ours was charged: placed, with our order and not theirs",
    async (_what, other) => {
      const item = { ...fiveInUsa, ...other };
      const scene = await loseAnswer({
        phase: "after",
        faults: [{ kind: "foreignOrder", item }, { kind: "reset" }],
      });
      expectDone(scene.outcomes.at(-1));
      const own = scene.simulator.orders().find(({ origin }) => origin === "api");
      expect((await scene.state()).held).toEqual([own?.orderNumber]);
      await expectInvariants(scene, { charges: ["7.00"] });
    },
  );

  it.each([
    ["another country", { country: "DEU" }],
    ["more proxies", { quantity: 7 }],
  ])(
    "22 B: %s, and ours was never charged: unknown, and theirs is not taken",
    async (_what, other) => {
      const item = { ...fiveInUsa, ...other };
      const scene = await loseAnswer({
        phase: "before",
        faults: [{ kind: "foreignOrder", item }, { kind: "reset" }],
      });
      expect(scene.outcomes.at(-1)?.text).toContain("ORDER_OUTCOME_UNKNOWN");
      await expectInvariants(scene, { charges: [], orderCalls: 1, again: "stopped" });
      expect((await scene.state()).held).toEqual([]);
    },
  );

  it("22 C: the same: unknown, both named, and nothing more is bought in the run", async () => {
    const scene = await loseAnswer({
      phase: "after",
      faults: [{ kind: "foreignOrder", item: fiveInUsa }, { kind: "reset" }],
      options: { program: { a: {}, b: {}, c: {} } },
    });
    const { text = "" } = scene.outcomes.at(-1) ?? {};
    for (const { orderNumber } of scene.simulator.orders()) expect(text).toContain(orderNumber);
    expect(text.match(/BUYING_STOPPED/g)).toHaveLength(2);
    await expectInvariants(scene, { charges: ["7.00"], again: "stopped" });
  });
});

it("43: one byte a second: the deadline ends it, then placed", async () => {
  await expectPlaced({ faults: [{ kind: "drip", everyMs: 1000 }], options: impatient });
});

it("44: a kept connection closes during the POST: each order has its own connection, one POST", async () => {
  const scene = await createCoreScene({ reach: openClosingDoor });
  expectDone(await scene.up());
  await expectInvariants(scene, { charges: ["7.00"] });
});
