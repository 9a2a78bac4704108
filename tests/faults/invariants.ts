import { expect } from "vitest";
import { z } from "zod";
import type { Simulator } from "../../simulator/index.ts";
import { findLeaks, secretsOf } from "../support/secrecy.ts";
import { findHeldTurns, readIntents, readJournal, type WrittenIntent } from "./journal-files.ts";

/** How a run ended. */
export interface Outcome {
  readonly failed: boolean;
  /** Everything that a person was told. */
  readonly text: string;
  /** How long it took, waits included. */
  readonly tookMs: number;
}

/** What the engine keeps of the orders. */
export interface EngineState {
  /** Order numbers. Each number occurs as often as a resource holds it. */
  readonly held: readonly string[];
  /** The whole state as a person may see it. It must not contain the key or passwords. */
  readonly text: string;
}

/** One or more stacks of one account. The real engine runs them, or the core alone. */
export interface Scene {
  readonly simulator: Simulator;
  /** The balance of the account before anything was done. */
  readonly openingBalance: string;
  readonly journalDir: string;
  /** Every run so far, oldest first. */
  readonly outcomes: readonly Outcome[];
  state(): Promise<EngineState>;
  /** Runs the program once more. */
  rerun(): Promise<Pick<Outcome, "failed" | "text">>;
  /** Whether a preview finds the state to be what the program says. */
  isSettled(): Promise<boolean>;
}

/** What a row expects beside the invariants. */
export interface Expected {
  /** What our own purchases were charged, oldest first. */
  charges: readonly string[];
  /** How many orders were sent, if not each of them was charged. @default one for each charge */
  orderCalls?: number;
  /** What the run after the fault is charged; "stopped" if a person must decide first. @default nothing */
  again?: readonly string[] | "stopped";
  /** What was paid into the account meanwhile. */
  paidIn?: string;
  /** How many orders have ended and are no longer in the state. @default 0 */
  ended?: number;
  /** Whether the run was killed. Then its lock may still look held, and nobody may know its order. */
  killed?: boolean;
  /** Whether the journal was lost, or a charge differs from what the journal says. */
  journalTellsLess?: boolean;
}

/** The run must have succeeded. If not, the test shows what it said. */
export function expectDone(outcome: Pick<Outcome, "failed" | "text"> | undefined): void {
  expect(outcome?.failed, outcome?.text).toBe(false);
}

const LONGEST_RUN_MS = 15 * 60_000;

/** The numbers of a resource's orders: the first order, which names the resource, and the later ones. */
export function heldNumbers(outputs: object): string[] {
  const { orderNumber, purchases } = ordersSchema.parse(outputs);
  return [...new Set([orderNumber, ...purchases.map((purchase) => purchase.orderNumber)])];
}

const ordersSchema = z.object({
  orderNumber: z.string(),
  purchases: z.array(z.object({ orderNumber: z.string() })),
});

/**
 * Checks I1 to I9 against everything that a row has left behind. Then it clears the fault, runs the program again (I6)
 * and checks everything once more.
 */
export async function expectInvariants(scene: Scene, expected: Expected): Promise<void> {
  const { charges, orderCalls = charges.length, again = [] } = expected;
  await expectAccountedFor(scene, expected);
  if (!expected.killed) expect(await findHeldTurns(scene.journalDir), "I9: turns").toEqual([]);

  scene.simulator.clearFaults();
  const rerun = await scene.rerun();
  const stopped = again === "stopped";
  expect(rerun.failed, `I6: running again: ${rerun.text}`).toBe(stopped);
  const further = stopped ? [] : again;
  const { extend } = scene.simulator.requestCounts();
  await expectAccountedFor(scene, {
    ...expected,
    charges: [...charges, ...further],
    orderCalls: orderCalls + further.length,
  });
  expect(await findHeldTurns(scene.journalDir), "I9: turns").toEqual([]);
  if (stopped) return;

  expect(await scene.isSettled(), "I6: state == program").toBe(true);
  const spent = scene.simulator.requestCounts();
  expect([spent.createOrder, spent.extend], "I3: a preview spends nothing").toEqual([
    orderCalls + further.length,
    extend,
  ]);
  const { held } = await scene.state();
  const living = ownOrders(scene.simulator).slice(expected.ended ?? 0);
  const lost = living.filter((names) => !names.some((name) => held.includes(name)));
  expect(lost, "I6: every order is in the state").toEqual([]);
}

async function expectAccountedFor(scene: Scene, expected: Expected): Promise<void> {
  const { simulator, openingBalance, journalDir, outcomes } = scene;
  const { charges, orderCalls = charges.length, journalTellsLess = false, paidIn = "0" } = expected;
  const intents = await readIntents(journalDir);
  const { held, text: plainState } = await scene.state();
  const told = outcomes.map(({ text }) => text).join("\n");

  // I1: every order is in the state, in the journal, or named to a person. No two resources hold the same order.
  expect(new Set(held).size, "I1: held once").toBe(held.length);
  const known = new Set([...held, ...intents.flatMap(namesOf)]);
  const mayBeUnnamed = intents.filter(isUndecided).length + (journalTellsLess ? 1 : 0);
  const unreported = ownOrders(simulator).filter(
    (names) => !names.some((name) => known.has(name) || told.includes(name)),
  );
  expect(unreported.length, `I1: unreported ${unreported}`).toBeLessThanOrEqual(mayBeUnnamed);
  const listed = simulator.orders().flatMap(({ orderNumber, orderId }) => [orderNumber, orderId]);
  expect(listed, "I1: the state names no order that is not").toEqual(
    expect.arrayContaining([...held]),
  );

  // I2: no intent was sent twice, and no request has two intents that may have been taken.
  expect(simulator.requestCounts().createOrder, "I2: order calls").toBe(orderCalls);
  if (!journalTellsLess) {
    expect(orderCalls, "I2: one call an intent").toBeLessThanOrEqual(intents.length + unsent(told));
  }
  const mayHaveBeenTaken = intents.filter((intent) => !isDisproved(intent));
  const requests = Map.groupBy(mayHaveBeenTaken.filter(isOpen), ({ requestId }) => requestId);
  for (const [requestId, same] of requests) expect(same, `I2: ${requestId}`).toHaveLength(1);

  // I4: the charges and the balance are right to the cent.
  const ledger = simulator.ledger();
  const own = ledger.filter(({ origin }) => origin === "api");
  expect(
    own.map(({ price }) => price),
    "I4: charges",
  ).toEqual(charges);
  expect(cents(openingBalance) + cents(paidIn) - cents(simulator.balance()), "I4: balance").toBe(
    sum(ledger.map(({ price }) => price)),
  );
  if (!journalTellsLess) {
    const accepted = sum(intents.filter(isTaken).map(({ price, charged = price }) => charged));
    const undecided = sum(intents.filter(isUndecided).map(({ price }) => price));
    const charged = sum(charges);
    // The balance may have fallen by somebody else's purchase too.
    const beside = sum(ledger.filter(({ origin }) => origin !== "api").map(({ price }) => price));
    expect(charged + beside, "I4: accepted intents").toBeGreaterThanOrEqual(accepted);
    expect(charged, "I4: accepted intents").toBeLessThanOrEqual(accepted + undecided);
  }

  // I5: if the outcome of a purchase is unknown, the run fails and names the candidates.
  const last = outcomes.at(-1);
  for (const intent of intents.filter(({ phase }) => phase === "unknown")) {
    expect(last?.failed, "I5: a failed run").toBe(true);
    for (const candidate of intent.candidates) expect(told, "I5: candidates").toContain(candidate);
  }

  const texts: [string, string][] = [
    ["told", told],
    ["state", plainState],
    ...(await readJournal(journalDir)),
  ];
  expect(findLeaks(secretsOf(simulator), texts), "I7: secrets").toEqual([]);

  for (const { tookMs } of outcomes) expect(tookMs, "I9: time").toBeLessThan(LONGEST_RUN_MS);
}

/** Number and listed id of every order that our own calls have bought, oldest first. */
function ownOrders(simulator: Simulator): [orderNumber: string, orderId: string][] {
  const own = simulator.orders().filter(({ origin }) => origin === "api");
  return own.map(({ orderNumber, orderId }) => [orderNumber, orderId]);
}

const namesOf = ({ orderNumber = "", orderIds, candidates }: WrittenIntent) => [
  orderNumber,
  ...orderIds,
  ...candidates,
];

const isOpen = ({ phase }: WrittenIntent) => phase !== "confirmed" && phase !== "closed";

const isUndecided = ({ phase }: WrittenIntent) => phase === "sending" || phase === "unknown";

/** Whether the service is known to have accepted the purchase, whatever happened later. */
const isTaken = ({ phase, closedBecause = "" }: WrittenIntent) =>
  ["placed", "returned", "confirmed"].includes(phase) ||
  ["expired", "resolved", "released"].includes(closedBecause);

const isDisproved = ({ closedBecause = "" }: WrittenIntent) =>
  ["rejected", "notPlaced"].includes(closedBecause);

/** How many orders never left this machine. They leave nothing in the journal. */
const unsent = (told: string) => told.match(/SERVICE_UNREACHABLE/g)?.length ?? 0;

const cents = (amount: string | number) => Math.round(Number(amount) * 100);

const sum = (amounts: readonly (string | number)[]) =>
  amounts.reduce((total: number, amount) => total + cents(amount), 0);
