import { expect, test } from "vitest";
import type { RunIdentity } from "../../provider/core/ports.ts";
import type { Interposition } from "../support/account.ts";
import { createMachine, deploy, linesOf } from "./machine.ts";

/** The process is killed before anything reaches the journal that says that the state has a purchase. */
const neverConfirmed: Interposition = {
  store: (real) => ({
    ...real,
    async replace(next, ...rest) {
      if (next.phase === "confirmed") return new Promise(() => undefined);
      return real.replace(next, ...rest);
    },
  }),
};

/** `pulumi up --skip-preview`: its plans are no previews. */
const run: RunIdentity = { run: undefined, command: "up", commandId: "", phase: () => "update" };

/** A machine on which a run has bought an order, and the next one met it in the state and was killed. */
async function meetAndDie() {
  const machine = await createMachine();
  const bought = await deploy(machine.begin({ run }), undefined);
  const saved = await deploy(machine.begin({ run, interpose: neverConfirmed }), bought);
  return { ...machine, saved };
}

test("113 A: an order whose confirmation was lost is neither bought again nor taken for lost, and is confirmed by the next run", async () => {
  const { simulator, begin, saved } = await meetAndDie();
  const next = begin({ run });
  expect(await linesOf(next, saved)).not.toMatch(/was paid for|may have bought/);
  await next.account.journal.endRun();
  expect(simulator.requestCounts().createOrder).toBe(1);
  const [intent] = await begin().account.journal.readAll();
  expect(intent?.phase).toBe("confirmed");
});

test("113 B: after it the resource buys a further order, and another resource its own, once each", async () => {
  const { simulator, begin, saved } = await meetAndDie();
  const grown = await deploy(begin({ run }), saved, { quantity: 2 });
  await deploy(begin({ run }), undefined, { name: "other", goal: "another" });
  await deploy(begin({ run }), grown, { quantity: 2 });
  expect(simulator.orders().map(({ quantity }) => quantity)).toEqual([1, 1, 1]);
});

test("113 C: a process whose confirmation does not reach the journal buys what it has planned, once", async () => {
  const { simulator, begin, saved } = await meetAndDie();
  const hanging = begin({ run, interpose: neverConfirmed });
  await deploy(hanging, saved);
  const grown = await deploy(hanging, saved, { quantity: 2 });
  expect(grown.outputs.purchases).toHaveLength(2);
  await deploy(begin({ run }), grown, { quantity: 2 });
  expect(simulator.requestCounts().createOrder).toBe(2);
});
