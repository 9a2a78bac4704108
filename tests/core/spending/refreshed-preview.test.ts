import { expect, test } from "vitest";
import type { RunIdentity } from "../../../provider/core/ports.ts";
import { beginRun } from "../support/extensions-under-test.ts";

/** The phases of one `pulumi up --refresh`. Each refreshes, and only the update saves that. */
const phaseOf = (phase: "preview" | "update"): RunIdentity => ({
  run: `127.0.0.1:${phase === "preview" ? 7001 : 7002}`,
  command: "up",
  commandId: "cli-1",
  phase: () => phase,
});

test("231: an update stops on what its preview has refreshed and compared, and records it", async () => {
  const args = { paidThrough: "2026-06-28" };
  const first = beginRun();
  const { service } = first;
  const dateStart = "2026-02-01T00:00:00Z";
  service.records = service.records.map((listed) => ({ ...listed, dateStart }));
  const before = await first.extend();
  await first.account.journal.endRun();

  // A run is killed in the first of two extensions, which is charged with 1.00 USD more than its price.
  const killed = beginRun({ service });
  const { replace } = killed.journal.store;
  killed.journal.store.replace = async () => {
    throw new Error("the process is gone");
  };
  service.before.extend = async () => {
    delete service.before.extend;
    service.balance -= 1;
    return undefined;
  };
  killed.die();
  const killedPlan = await killed.plan(args, before.inputs);
  await killed.extensions.update(before.state, killedPlan).catch(() => undefined);
  killed.journal.store.replace = replace;
  expect(service.extensions).toHaveLength(2);

  // Another preview has found out what became of it.
  const found = beginRun({ service, run: { ...phaseOf("preview"), command: "preview" } });
  await found.plan(args, before.inputs);
  await found.account.journal.endRun();

  const compare = async (run: ReturnType<typeof beginRun>) => {
    const { state, drift = before.inputs } = await run.extensions.read(before.state);
    const planned = await run.plan(args, drift);
    await run.extensions.diff(state, planned, new Set());
    return { state, planned };
  };
  const preview = beginRun({ service, run: phaseOf("preview") });
  await compare(preview);
  await preview.account.journal.endRun();

  const update = beginRun({ service, run: phaseOf("update") });
  const { state, planned } = await compare(update);
  expect(state.purchases).toHaveLength(2);
  await expect(update.extensions.update(state, planned)).rejects.toThrow("BUYING_STOPPED");
  expect(service.extensions).toHaveLength(2);
});
