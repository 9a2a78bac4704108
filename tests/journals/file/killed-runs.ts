import { expect } from "vitest";
import { JournalError } from "../../../provider/core/ports.ts";
import { type FakeService, serviceFailure } from "../../core/support/fake-service.ts";
import {
  type Bought,
  beginRun,
  failureOf,
  given,
  ownerOf,
  type Run,
} from "../../core/support/orders-under-test.ts";

/** A run that is killed when the service has its order; the journal has come as far as `phase`. */
export async function buyAndDie(
  phase: "sending" | "placed" | "returned",
  { run = beginRun(), name = "fleet", args = {} } = {},
): Promise<Run & Bought> {
  const { replace } = run.journal.store;
  run.journal.store.replace = async (next) => {
    const reached = phase === "returned" || next.phase === phase;
    if (!reached) throw new JournalError("unavailable", "the process is gone");
    return replace(next);
  };
  run.die();
  return { ...run, ...(await run.buy(name, args)) };
}

/** A run that is killed when its order is on the way and never arrives. */
export async function dieBeforeSending(name = "fleet", run = beginRun()): Promise<Run> {
  const planned = await run.plan(name);
  run.service.before.createOrder = async () => {
    delete run.service.before.createOrder;
    throw serviceFailure("unknown");
  };
  run.journal.store.replace = async () => {
    throw new JournalError("unavailable", "the process is gone");
  };
  run.die();
  await failureOf(run.orders.create(planned));
  return run;
}

/** Why nothing may be bought for a resource. */
export const reasonsOf = async (run: Run, name = "fleet", args = {}) => {
  const { failures } = await run.orders.check(ownerOf(name), undefined, given(args));
  return failures.map(({ reason }) => reason).join();
};

/** How far every purchase in the journal has come, or why it is over. */
export const phasesOf = async (run: Run) =>
  (await run.account.journal.readAll())
    .map(({ phase, closedBecause }) => closedBecause ?? phase)
    .sort();

/** No money has moved since the first order. */
export function expectOneOrder(service: FakeService): void {
  expect(service.orders).toHaveLength(1);
  expect(service.calls.createOrder).toBe(1);
}

/** How often a run has read its whole journal since it was asked to be counted. */
export function countReadings({ journal: { store } }: Pick<Run, "journal">): () => number {
  let readings = 0;
  for (const name of ["readAll", "readInTurn"] as const) {
    const read = store[name];
    store[name] = () => {
      readings += 1;
      return read();
    };
  }
  return () => readings;
}
