import { expect, test } from "vitest";
import { ServiceError } from "../../../provider/client/index.ts";
import type { RunIdentity } from "../../../provider/core/ports.ts";
import { beginRun, failureOf, ownerOf, type Run } from "../support/orders-under-test.ts";

const HOUR_MS = 3_600_000;

/** One phase of a command: each has an engine of its own. */
function phaseOf(command: number, phase: "preview" | "update"): RunIdentity {
  const identity = { command: "up", commandId: `cli-${command}` } as const;
  return { run: `127.0.0.1:${command} ${phase}`, ...identity, phase: () => phase };
}

const cancelled = { run: phaseOf(1, "update"), apiKey: "key" };
const next = { run: phaseOf(2, "update"), apiKey: "key", besideOthers: true };

/** A run that was cancelled, and goes on; and what the next run of the stack buys meanwhile, in which a resource has a new name. */
async function cancelAndBuy(plansBefore: boolean) {
  const run = beginRun(cancelled);
  const { service } = run;
  if (plansBefore) await run.plan("first", { goal: "something else", country: "DEU" });
  await buyInNext(service);
  return { run, service };
}

async function buyInNext(service: Run["service"], args: object = {}): Promise<void> {
  const run = beginRun({ ...next, service });
  await run.buy("new", args);
  await run.account.journal.endRun();
  beginRun({ service });
}

test("a cancelled run that goes on buys nothing after the next one has bought", async () => {
  const { run, service } = await cancelAndBuy(true);
  const { code } = await failureOf(run.buy("old"));
  expect(code).toBe("BUYING_STOPPED");
  expect(service.orders).toHaveLength(1);
});

test("nor does a further process of it that begins only then", async () => {
  const { service } = await cancelAndBuy(true);
  const late = beginRun({ ...cancelled, service, besideOthers: true });
  expect(await failureOf(late.buy("old"))).toMatchObject({ code: "BUYING_STOPPED" });
  expect(service.orders).toHaveLength(1);
});

test("nor does its only process that begins only then, if the preview inside the command began before", async () => {
  const preview = beginRun({ ...cancelled, run: phaseOf(1, "preview") });
  const { service } = preview;
  await preview.plan("old");
  await preview.account.journal.endRun();
  await buyInNext(service);
  const late = beginRun({ ...cancelled, service, besideOthers: true });
  expect(await failureOf(late.buy("old"))).toMatchObject({ code: "BUYING_STOPPED" });
  expect(service.orders).toHaveLength(1);
});

test("156: nor after one that began while somebody else had written down a purchase that then never left", async () => {
  const other = beginRun({ run: phaseOf(3, "update"), apiKey: "key" });
  const { service } = other;
  const runs: Run[] = [];
  service.before.createOrder = async () => {
    delete service.before.createOrder;
    const run = beginRun({ ...cancelled, service, besideOthers: true });
    await run.plan("first", { goal: "something else", country: "DEU" });
    runs.push(run);
    throw new ServiceError({
      ...{ code: "SERVICE_UNREACHABLE", outcome: "rejected", endpoint: "createOrder" },
      message: "connect ECONNREFUSED",
    });
  };
  await failureOf(other.buy("unsent", { country: "DEU" }));
  await other.account.journal.endRun();
  expect(service.orders).toHaveLength(0);
  await buyInNext(service);
  const [run] = runs;
  if (run === undefined) throw new Error("no run has begun");
  expect(await failureOf(run.buy("old"))).toMatchObject({ code: "BUYING_STOPPED" });
  expect(service.orders).toHaveLength(1);
});

test("a run begins with its first check, also of something that is not bought", async () => {
  const kept = beginRun();
  const { service } = kept;
  const { inputs } = await kept.buy("kept");
  await kept.account.journal.endRun();
  const run = beginRun({ ...cancelled, service, besideOthers: true });
  await run.orders.check(ownerOf("kept"), inputs, { known: inputs, unknown: new Set() });
  await buyInNext(service, { country: "DEU" });
  expect(await failureOf(run.buy("old", { country: "DEU" }))).toMatchObject({
    code: "BUYING_STOPPED",
  });
});

test("the preview inside a command binds its update, however long a person has thought about it", async () => {
  const preview = beginRun({ ...cancelled, run: phaseOf(1, "preview") });
  const { service } = preview;
  await preview.plan("old");
  await preview.account.journal.endRun();
  // Others write their previews meanwhile.
  for (let command = 3; command < 25; command++) {
    const other = beginRun({ run: phaseOf(command, "preview"), service, besideOthers: true });
    other.clock.advance(4 * HOUR_MS);
    await other.plan("other", { country: "DEU" });
  }
  service.unitPrice = 99;
  const late = beginRun({ ...cancelled, service, besideOthers: true });
  late.clock.advance(4 * HOUR_MS);
  expect(await failureOf(late.buy("old"))).toMatchObject({ code: "PRICE_ROSE" });
  service.unitPrice = 1.4;
  await buyInNext(service);
  const later = beginRun({ ...cancelled, service, besideOthers: true });
  later.clock.advance(4 * HOUR_MS);
  expect(await failureOf(later.buy("old"))).toMatchObject({ code: "BUYING_STOPPED" });
});
