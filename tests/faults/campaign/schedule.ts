import fc from "fast-check";
import { anyProgram, anyStep, anyTrouble, type Model } from "./commands.ts";
import { helpOut } from "./person.ts";
import { createWorld, type Verdict, type World } from "./world.ts";

const MAX_STEPS = 20;

const MINUTE_MS = 60_000;

/** How many runs it may take, with a person's help, until all is well again. */
const MAX_RUNS_TO_PEACE = 8;

/** What a schedule came to. */
export interface ScheduleResult extends Verdict {
  /** What happened, shrunk to what matters; undefined where nothing is wrong. */
  story: string | undefined;
}

/** Plays one random schedule. The same seed is the same schedule. */
export async function playSchedule(seed: number, folder: string): Promise<ScheduleResult> {
  const nothing: Verdict = { duplicates: [], unreported: [], broken: [] };
  const worlds = fc.record({
    orderNumberDiffersFromOrderId: fc.boolean(),
    deliveryDelayMs: fc.constantFrom(0, 0, 5_000, 200_000),
    pageCap: fc.constantFrom(1, 25),
  });
  const schedules = fc.asyncProperty(
    fc.scheduler(),
    worlds,
    anyProgram(),
    fc.array(anyTrouble(), { maxLength: 2 }),
    fc.commands(anyStep(), { size: "max", maxCommands: MAX_STEPS }),
    async (scheduler, options, program, troubles, steps) => {
      const world = await createWorld(scheduler, folder, options);
      try {
        for (const [name, args] of program) world.program.set(name, args);
        for (const rule of troubles.flat()) world.simulator.addFault(rule);
        const model: Model = {};
        await fc.asyncModelRun(() => ({ model, real: world }), steps);
        await makePeace(world);
      } finally {
        await world.end();
      }
      if (Object.values(world.verdict).flat().length > 0) throw new BrokenPromise(world.verdict);
    },
  );
  const outcome = await fc.check(schedules, { seed, numRuns: 1, endOnFailure: false });
  if (!outcome.failed) return { ...nothing, story: undefined };
  const [, options, program, troubles, steps] = outcome.counterexample ?? [];
  const error = outcome.errorInstance;
  const verdict =
    error instanceof BrokenPromise ? error.verdict : { ...nothing, broken: [String(error)] };
  return {
    ...nothing,
    ...verdict,
    story: `${JSON.stringify([options, program, troubles])}\n${steps}\n${error}`,
  };
}

/** What a schedule has brought to light. */
class BrokenPromise extends Error {
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    super(Object.values(verdict).flat().join("\n"));
    this.verdict = verdict;
  }
}

/** Once nothing goes wrong any more, the state becomes what the program says, and stays so. */
async function makePeace(world: World): Promise<void> {
  const { simulator, clock, verdict, program, stack } = world;
  simulator.clearFaults();
  clock.advance(2 * MINUTE_MS);
  let report: Awaited<ReturnType<World["run"]>>;
  for (let runs = 0; runs < MAX_RUNS_TO_PEACE; runs++) {
    report = await world.run({ refresh: true, previewOnly: false });
    if (report === undefined || report.failures.size === 0) break;
    await helpOut(world, report);
    for (const [name, said] of report.failures) allowReplacement(world, name, said);
    clock.advance(5 * MINUTE_MS);
  }
  for (const [name, said] of report?.failures ?? []) verdict.broken.push(`${name}: ${said}`);
  const charges = simulator.ledger().length;
  await world.run({ refresh: true, previewOnly: false });
  if (simulator.ledger().length > charges) verdict.broken.push("a run without edits has spent");
  if (stack.resources.size !== program.size) verdict.broken.push("state and program differ");
  const known = world.known();
  for (const [name, { country, quantity }] of program) {
    const status = stack.resources.get(name)?.outputs.status;
    if (status !== "active") verdict.broken.push(`${name} is ${status}`);
    const held = stack.resources.get(name)?.outputs.proxies.length;
    if (held !== quantity) verdict.broken.push(`${name} holds ${held} proxies, not ${quantity}`);
    const stray = simulator
      .orders()
      .filter((order) => order.country === country)
      .filter(({ orderNumber }) => world.livingOrders(name).includes(orderNumber))
      .filter(({ orderNumber, orderId }) => !known.has(orderNumber) && !known.has(orderId));
    for (const { orderNumber } of stray) verdict.duplicates.push(`${orderNumber} beside ${name}`);
  }
  const spent = simulator.ledger().reduce((sum, { price }) => sum + Number(price), 0);
  if (Math.abs(100_000 - Number(simulator.balance()) - spent) > 0.001) {
    verdict.broken.push("the balance is not what the ledger says");
  }
}

/** What can't be edited is bought anew, or edited back. */
function allowReplacement({ program, stack }: World, name: string, said: string): void {
  const wanted = program.get(name);
  const held = stack.resources.get(name)?.inputs;
  if (wanted === undefined || held === undefined || !said.includes("EDIT_REFUSED")) return;
  program.set(name, { ...wanted, country: held.country, quantity: held.quantity });
}
