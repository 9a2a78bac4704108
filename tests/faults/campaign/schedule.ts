import fc from "fast-check";
import { anyProgram, anyStep, anyWorld, type Model } from "./commands.ts";
import type { StackState } from "./engine.ts";
import { type ChosenFamilies, chooseFamilies } from "./families.ts";
import type { SharedPlace } from "./journal-place.ts";
import { loseStates } from "./lost-states.ts";
import type { RunOutcome } from "./paid-orders.ts";
import { helpOut, letRunOut } from "./person.ts";
import { createRandom } from "./random.ts";
import { findAgainstProgram, noteSeen } from "./renewals.ts";
import type { Tenant } from "./tenant.ts";
import { anyTrouble, cause, itemOf } from "./troubles.ts";
import type { Verdict } from "./verdict.ts";
import { createWorld, type World } from "./world.ts";

const MAX_STEPS = 20;

const MINUTE_MS = 60_000;

const HOUR_MS = 60 * MINUTE_MS;

/** How many runs, with a person's help, it may take until the state is what the program says. */
const MAX_RUNS_TO_PEACE = 20;

/** How a schedule is played. */
export interface ScheduleOptions {
  /** The families that are played beside edits, lost answers, kills and reruns. @default "mixed" */
  families?: ChosenFamilies;
  /** Whether a failure is shrunk to the shortest story, which takes time. @default true */
  isShrunk?: boolean;
  /** The journal that all machines share. @default files of one machine */
  shared?: SharedPlace | undefined;
}

/** The result of a schedule. */
export interface ScheduleResult extends Verdict {
  /** What happened, shrunk if that was asked for; undefined if nothing is wrong. */
  story: string | undefined;
}

/** Plays one random schedule. The same seed with the same families gives the same schedule. */
export async function playSchedule(
  seed: number,
  folder: string,
  { families: chosen = "mixed", isShrunk = true, shared }: ScheduleOptions = {},
): Promise<ScheduleResult> {
  const families = chooseFamilies(chosen, createRandom(seed));
  const nothing: Verdict = { duplicates: [], unreported: [], broken: [] };
  const schedules = fc.asyncProperty(
    fc.noShrink(fc.integer()),
    anyWorld(families),
    anyProgram(families),
    fc.array(anyTrouble(families), { maxLength: 2 }),
    fc.commands(anyStep(families), { size: "max", maxCommands: MAX_STEPS }),
    async (order, options, program, troubles, steps) => {
      const random = createRandom(order);
      const world = await createWorld(random, { folder, shared }, families, options);
      try {
        // Two stacks that declare the same orders are the hardest to tell apart.
        for (const tenant of world.tenants) {
          for (const [name, args] of program) tenant.program.set(name, { ...args });
        }
        if (options.hasBought) await buyInPeace(world);
        for (const trouble of troubles.flat()) cause(world, trouble);
        const model: Model = {};
        await fc.asyncModelRun(() => ({ model, real: world }), steps);
        await world.settleOrphans();
        for (const index of world.tenants.keys()) await makePeace(world, index);
      } finally {
        await world.end();
      }
      if (Object.values(world.verdict).flat().length > 0) throw new BrokenPromise(world);
    },
  );
  const outcome = await fc.check(schedules, { seed, numRuns: 1, endOnFailure: !isShrunk });
  if (!outcome.failed) return { ...nothing, story: undefined };
  const [, options, program, troubles, steps] = outcome.counterexample ?? [];
  const error = outcome.errorInstance;
  const verdict =
    error instanceof BrokenPromise ? error.verdict : { ...nothing, broken: [explain(error)] };
  return {
    ...nothing,
    ...verdict,
    story: [
      JSON.stringify([options, program, troubles]),
      steps,
      // Without shrinking, the transcript is too long to read.
      ...(isShrunk && error instanceof BrokenPromise ? error.transcript : []),
      explain(error),
    ].join("\n"),
  };
}

function explain(error: unknown): string {
  if (error instanceof BrokenPromise) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** All stacks buy, and wait for what is delivered later. Somebody else buys, too. */
async function buyInPeace(world: World): Promise<void> {
  world.simulator.placeForeignOrder(itemOf("USA", 2));
  world.clock.advance(MINUTE_MS);
  if (world.families.has("autoExtensions")) {
    for (const { program, autoExtensions } of world.tenants) {
      const [of = ""] = program.keys();
      autoExtensions.set(`${of}-more`, { of, autoExtend: true, rentPeriodDays: 30 });
    }
  }
  for (const [tenant, { stack }] of world.tenants.entries()) {
    const buy = () => world.run({ refresh: false, phases: "both", tenant });
    await buy();
    world.clock.advance(5 * MINUTE_MS);
    if (isWaiting(stack)) await buy();
  }
}

function isWaiting({ resources }: StackState): boolean {
  return [...resources.values()].some(({ outputs: { status } }) => status === "pendingDelivery");
}

/** The error of a schedule that has broken a promise. */
class BrokenPromise extends Error {
  readonly verdict: Verdict;
  readonly transcript: readonly string[];

  constructor({ verdict, transcript }: Pick<World, "verdict" | "transcript">) {
    super(Object.values(verdict).flat().join("\n"));
    this.verdict = verdict;
    this.transcript = transcript;
  }
}

/** Ends all faults, and checks that the state becomes what the program says and stays so. */
async function makePeace(world: World, index: number): Promise<void> {
  const { clock, verdict, tenants, families } = world;
  const tenant = tenants[index];
  if (tenant === undefined) return;
  const { program, stack, account } = tenant;
  // If a run was refused because no preview had shown its price, a person runs a new preview first.
  const isShown = families.has("phases") || families.has("prices") || families.has("promos");
  const runAll = () =>
    world.run({ refresh: true, phases: isShown ? "both" : "update", tenant: index });
  world.clearFaults();
  world.liftLimit();
  clock.advance(2 * MINUTE_MS);
  let outcome: RunOutcome | undefined;
  for (let runs = 0; runs < MAX_RUNS_TO_PEACE; runs++) {
    // What arrives only now may have ended meanwhile. Then the next run buys anew.
    const waits = isWaiting(stack);
    outcome = await runAll();
    if (outcome === undefined || (outcome.failures.size === 0 && !waits)) break;
    await helpOut(world, tenant, outcome);
    for (const [name, said] of outcome.failures) takeBackEdit(tenant, name, said);
    // Later runs wait longer: an undelivered order must end, and the service's clock may be hours behind.
    clock.advance(runs < MAX_RUNS_TO_PEACE / 2 ? 5 * MINUTE_MS : 12 * HOUR_MS);
  }
  if (outcome) letRunOut(tenant, outcome);
  if (outcome?.failures.size === 0) noteSeen(tenant);
  for (const [name, said] of outcome?.failures ?? []) verdict.broken.push(`${name}: ${said}`);
  const charges = account.ledger().length;
  const before = [...stack.resources].map(([name, { outputs }]) => ({
    goal: tenant.goalOf(name),
    names: [outputs.orderNumber, ...outputs.orderIds],
  }));
  await runAll();
  // What has ended by then is bought anew.
  const ended = tenant.endedProxies().flatMap((one) => [one.orderNumber, one.orderId]);
  const dueGoals = before
    .filter(({ names }) => names.some((name) => ended.includes(name)))
    .map(({ goal }) => goal);
  for (const { orderNumber } of account.ledger().slice(charges)) {
    const bought = account.orders().find((order) => order.orderNumber === orderNumber);
    if (bought !== undefined && dueGoals.includes(bought.goal)) continue;
    verdict.broken.push(`a run without edits has spent (order ${orderNumber})`);
  }
  if (stack.resources.size !== program.size) verdict.broken.push("state and program differ");
  const known = tenant.known();
  for (const [name, { country, quantity }] of program) {
    const status = stack.resources.get(name)?.outputs.status;
    if (status !== "active") verdict.broken.push(`${name} is ${status}`);
    const held = stack.resources.get(name)?.outputs.proxies.length;
    if (held !== quantity) verdict.broken.push(`${name} holds ${held} proxies, not ${quantity}`);
    const elsewhere = stack.resources
      .get(name)
      ?.outputs.proxies.filter((proxy) => proxy.country !== country);
    for (const proxy of elsewhere ?? []) {
      verdict.broken.push(`${name} holds ${proxy.ipAddressIp} in ${proxy.country}, not ${country}`);
    }
    const stray = account
      .orders()
      .filter((order) => order.country === country)
      .filter(({ orderNumber }) => tenant.livingOrders(name).includes(orderNumber))
      .filter(({ orderNumber, orderId }) => !known.has(orderNumber) && !known.has(orderId));
    for (const { orderNumber } of stray) verdict.duplicates.push(`${orderNumber} beside ${name}`);
  }
  verdict.broken.push(...findAgainstProgram(tenant));
  checkEnds(world, tenant);
  const spent = account.ledger().reduce((sum, { price }) => sum + Number(price), 0);
  if (Math.abs(100_000 - Number(account.balance()) - spent) > 0.001) {
    verdict.broken.push("the balance is not what the ledger says");
  }
  if (families.has("deletions")) await loseStates(world, tenant, runAll);
}

/** Checks that every proxy is paid for as long as the program says. A day may be missing, because clocks may differ. */
function checkEnds({ verdict }: World, { program, extensions, stack, account }: Tenant): void {
  for (const { of, paidThrough } of extensions.values()) {
    if (!program.has(of)) continue;
    const held = new Set(
      stack.resources.get(of)?.outputs.proxies.map((proxy) => proxy.ipAddressIp),
    );
    const short = account
      .proxies()
      .filter(({ ip, state }) => held.has(ip) && state === "listed")
      .filter(({ dateEnd }) => Date.parse(dateEnd) < Date.parse(paidThrough) - 24 * HOUR_MS);
    for (const { ip, dateEnd } of short) {
      verdict.broken.push(`${ip} of ${of} is paid until ${dateEnd}, not ${paidThrough}`);
    }
  }
}

/** Takes an edit of the program back if the provider refused it, and sets the quantity that the refusal names. */
function takeBackEdit({ program, stack }: Tenant, name: string, said: string): void {
  const wanted = program.get(name);
  const held = stack.resources.get(name)?.inputs;
  if (wanted === undefined || held === undefined || !said.includes("EDIT_REFUSED")) return;
  // What has ended while a delivery is pending, a refresh has seen, and the last run's inputs have not.
  const [, told = held.quantity] = /quantity can't .* Set it to (\d+)/.exec(said) ?? [];
  program.set(name, { ...wanted, country: held.country, quantity: Number(told) });
}
