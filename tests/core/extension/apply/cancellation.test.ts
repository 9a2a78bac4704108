import { expect, test } from "vitest";
import { ExtensionUnfinishedError } from "../../../../provider/core/extension/apply/pay.ts";
import { createExtensionLifecycle } from "../../../../provider/core/extension/lifecycle.ts";
import type { CheckedExtension } from "../../../../provider/core/extension/model/state.ts";
import type { Fault, Simulator } from "../../../../simulator/index.ts";
import { spendingOf } from "../../../support/spending.ts";
import { type CancellableRun, type Stage, setStage } from "../../support/cancellable-runs.ts";
import { failureOf } from "../../support/orders-under-test.ts";

const owner = "org/urn:pulumi:dev::fleet::proxyrental:IpExtension::keep";

/** An account that holds two proxies until 31 March. */
async function holdProxies(): Promise<Stage & { paidBefore: number }> {
  const stage = await setStage();
  const item = { proxyType: "IPv4", country: "USA", quantity: 2, rentPeriodDays: 30 } as const;
  stage.simulator.placeForeignOrder(item);
  return { ...stage, paidBefore: stage.simulator.ledger().length };
}

/** Declares that the proxies are paid through one more period, or several. */
async function planExtension(simulator: Simulator, run: CancellableRun, paidThrough: string) {
  const extensions = createExtensionLifecycle(run.account);
  const ipAddressIds = simulator.proxies().map((proxy) => proxy.ipAddressId);
  const known = { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30, paidThrough };
  const { checked, failures } = await extensions.check(owner, undefined, {
    known,
    unknown: new Set(),
  });
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  return { extensions, inputs: checked as CheckedExtension };
}

/** The listing goes on showing the old ends, even after an extension is paid. */
function freezeEnds(simulator: Simulator): Fault {
  const ends = new Map(simulator.proxies().map((proxy) => [proxy.ipAddressId, proxy.dateEnd]));
  const patch = (answer: Readonly<Record<string, unknown>>) => {
    const { data, ...rest } = answer as { data: { content: { ipAddressId: string }[] } };
    const content = data.content.map((proxy) => ({
      ...proxy,
      dateEnd: ends.get(proxy.ipAddressId),
    }));
    return { ...rest, data: { ...data, content } };
  };
  return { kind: "answer", patch };
}

test("a cancelled run pays no extension", async () => {
  const { simulator, beginRun, paidBefore } = await holdProxies();
  const run = beginRun();
  const { extensions, inputs } = await planExtension(simulator, run, "2026-04-29");
  run.cancel();
  expect((await failureOf(extensions.create(inputs))).code).toBe("RUN_CANCELLED");
  expect(spendingOf(simulator).extendCalls).toBe(0);
  expect(simulator.ledger()).toHaveLength(paidBefore);
  expect(await run.phases()).toEqual([]);
});

test("a cancelled run finishes the round that it is paying, and a later run pays only the rest", async () => {
  const { simulator, beginRun, paidBefore } = await holdProxies();
  const run = beginRun();
  const { extensions, inputs } = await planExtension(simulator, run, "2026-05-29");
  const fault: Fault = { kind: "act", run: run.cancel };
  simulator.addFault({ endpoint: "extend", phase: "before", fault });
  const failure = await failureOf(extensions.create(inputs));
  expect(failure).toBeInstanceOf(ExtensionUnfinishedError);
  expect(failure.message).toMatch(/^EXTENSION_INCOMPLETE: 1 of 2 planned .*RUN_CANCELLED/);
  expect(spendingOf(simulator).extendCalls).toBe(1);

  const { state } = failure as ExtensionUnfinishedError;
  const next = beginRun();
  const later = await planExtension(simulator, next, "2026-05-29");
  const finished = await later.extensions.update(state, later.inputs);
  expect(finished.purchases).toHaveLength(2);
  expect(spendingOf(simulator).extendCalls).toBe(2);
  expect(simulator.ledger()).toHaveLength(paidBefore + 2);
});

test("a cancelled run does not wait for the listing to show a paid extension, but saves it", async () => {
  const { simulator, clock, beginRun, paidBefore } = await holdProxies();
  const run = beginRun();
  const { extensions, inputs } = await planExtension(simulator, run, "2026-04-29");
  const rule = simulator.addFault({
    endpoint: "listProxies",
    phase: "after",
    fault: freezeEnds(simulator),
  });
  const fault: Fault = { kind: "act", run: run.cancel };
  simulator.addFault({ endpoint: "extend", phase: "before", fault });
  const beganAtMs = clock.elapsedMs();
  const failure = await failureOf(extensions.create(inputs));
  expect(failure).toBeInstanceOf(ExtensionUnfinishedError);
  expect(clock.elapsedMs()).toBe(beganAtMs);
  const { state } = failure as ExtensionUnfinishedError;
  expect(state.awaited?.proxies).toHaveLength(2);
  expect(await run.phases()).toEqual(["returned"]);

  rule.remove();
  const next = beginRun();
  const later = await planExtension(simulator, next, "2026-04-29");
  const finished = await later.extensions.update(state, later.inputs);
  expect(finished.awaited).toBeUndefined();
  expect(spendingOf(simulator).extendCalls).toBe(1);
  expect(simulator.ledger()).toHaveLength(paidBefore + 1);
});

test("a cancelled run watches an unanswered extension to its end", async () => {
  const { simulator, clock, beginRun, paidBefore } = await holdProxies();
  const run = beginRun();
  const { extensions, inputs } = await planExtension(simulator, run, "2026-04-29");
  const cancel: Fault = { kind: "act", run: run.cancel };
  const late: Fault = { kind: "lateCommit", afterMs: 20_000 };
  simulator.addFault({ endpoint: "extend", phase: "before", fault: cancel });
  simulator.addFault({ endpoint: "extend", phase: "before", fault: late });
  const beganAtMs = clock.elapsedMs();
  const state = await extensions.create(inputs);
  expect(clock.elapsedMs() - beganAtMs).toBeGreaterThanOrEqual(20_000);
  expect(state.purchases).toHaveLength(1);
  expect(spendingOf(simulator).extendCalls).toBe(1);
  expect(simulator.ledger()).toHaveLength(paidBefore + 1);
  expect(await run.phases()).toEqual(["returned"]);
});
