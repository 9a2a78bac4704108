import fc, { type AsyncCommand } from "fast-check";
import type { FaultRule } from "../../../simulator/index.ts";
import type { ResourceArgs, RunPlan, World } from "./world.ts";

/** Nothing: all that is known is in the world. */
export type Model = Record<string, never>;

type Step = AsyncCommand<Model, World>;

const resourceNames = ["a", "b", "c"];

const countries = ["USA", "DEU"];

const MINUTE_MS = 60_000;

/** What is charged later than this after its answer was lost is out of the provider's reach. */
const SETTLING_MS = 60_000;

/** Everything that may happen to a stack. */
export function anyStep(): fc.Arbitrary<Step>[] {
  const name = fc.constantFrom(...resourceNames);
  return [
    fc.tuple(name, anyArgs()).map(([of, given]) => declare(of, given)),
    name.map(withdraw),
    anyRun().map(run),
    anyRun().map(run),
    anyRun().map(run),
    anyTrouble().map(breakService),
    anyTrouble().map(breakService),
    anyTrouble().map(breakService),
    fc.constant(mend()),
    fc.constantFrom(1, 29, 31, 31 * 24 * 60).map(pass),
    fc.tuple(fc.constantFrom(...countries), anyQuantity()).map((of) => buyElsewhere(...of)),
    fc.constant(changeMachine()),
  ];
}

/** What the program says at the beginning. */
export function anyProgram(): fc.Arbitrary<[string, ResourceArgs][]> {
  const entry = fc.tuple(fc.constantFrom(...resourceNames), anyArgs());
  return fc.uniqueArray(entry, { minLength: 1, selector: ([name]) => name });
}

function anyArgs(): fc.Arbitrary<ResourceArgs> {
  return fc.record({
    country: fc.constantFrom(...countries),
    quantity: anyQuantity(),
    allowReplacement: fc.boolean(),
  });
}

function anyRun(): fc.Arbitrary<RunPlan> {
  const killedAfter = fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined, freq: 2 });
  const previewOnly = fc.integer({ min: 0, max: 4 }).map((one) => one === 0);
  return fc.record({ refresh: fc.boolean(), previewOnly, killedAfter });
}

/** What is wrong with the service, from some call on. */
export function anyTrouble(): fc.Arbitrary<FaultRule[]> {
  const alone = anyFault().map((rule) => [rule]);
  return fc.oneof({ weight: 2, arbitrary: alone }, { weight: 1, arbitrary: anyCrowd() });
}

/** Somebody else buys in the very moment in which an answer is lost. */
function anyCrowd(): fc.Arbitrary<FaultRule[]> {
  const call = fc.integer({ min: 1, max: 3 });
  const phase = fc.constantFrom("before" as const, "after" as const);
  const crowd = fc.record({
    call,
    phase,
    country: fc.constantFrom(...countries),
    quantity: anyQuantity(),
  });
  return crowd.map(({ call, phase, country, quantity }) => [
    {
      endpoint: "createOrder",
      calls: [call],
      phase: "before",
      fault: { kind: "foreignOrder", item: itemOf(country, quantity) },
    },
    { endpoint: "createOrder", calls: [call], phase, fault: { kind: "reset" } },
  ]);
}

function anyQuantity(): fc.Arbitrary<number> {
  return fc.integer({ min: 1, max: 3 });
}

function itemOf(country: string, quantity: number) {
  return { proxyType: "IPv4", country, quantity, rentPeriodDays: 30 } as const;
}

function anyFault(): fc.Arbitrary<FaultRule> {
  const calls = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });
  const phase = fc.constantFrom("before" as const, "after" as const);
  const spoiled = fc.constantFrom<FaultRule["fault"]>(
    { kind: "reset" },
    { kind: "reset" },
    { kind: "truncate" },
    { kind: "garbage" },
    { kind: "status", status: 502 },
    { kind: "status", status: 429, retryAfterSeconds: 1 },
    { kind: "redirect" },
  );
  const onOrder = fc.oneof(
    { weight: 6, arbitrary: spoiled },
    {
      weight: 3,
      arbitrary: fc
        .integer({ min: 1, max: SETTLING_MS - 5_000 })
        .map((afterMs) => ({ kind: "lateCommit", afterMs }) as const),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...countries), anyQuantity())
        .map((of) => ({ kind: "foreignOrder", item: itemOf(...of) }) as const),
    },
  );
  const rule = (endpoint: FaultRule["endpoint"], fault: fc.Arbitrary<FaultRule["fault"]>) =>
    fc.record({ endpoint: fc.constant(endpoint), calls, phase, fault });
  // A refusal is believed: a service that charges and says no is none that can be bought from.
  const refused = fc.record({
    endpoint: fc.constant("createOrder" as const),
    calls,
    phase: fc.constant("before" as const),
    fault: fc.constant({ kind: "refuse", code: 14 } as const),
  });
  const withoutNumber = fc.record({
    endpoint: fc.constant("createOrder" as const),
    calls,
    phase: fc.constant("after" as const),
    fault: fc.constant({
      kind: "answer",
      patch: (answer) => ({ ...answer, orderNumber: null }),
    } as const satisfies FaultRule["fault"]),
  });
  const emptyListing = fc.record({
    endpoint: fc.constant("listProxies" as const),
    calls,
    phase: fc.constant("after" as const),
    fault: fc.constant({
      kind: "answer",
      patch: (answer) => ({
        ...answer,
        data: { totalElements: 3, totalPages: 1, content: [] },
      }),
    } as const satisfies FaultRule["fault"]),
  });
  return fc.oneof(
    { weight: 6, arbitrary: rule("createOrder", onOrder) },
    { weight: 1, arbitrary: withoutNumber },
    { weight: 1, arbitrary: refused },
    { weight: 2, arbitrary: rule("listProxies", spoiled) },
    { weight: 1, arbitrary: emptyListing },
    { weight: 1, arbitrary: rule("getBalance", spoiled) },
    { weight: 1, arbitrary: rule("calculateOrder", spoiled) },
  );
}

function step(text: string, act: (world: World) => unknown): Step {
  return {
    check: () => true,
    run: async (_model, world) => {
      await act(world);
    },
    toString: () => text,
  };
}

function declare(name: string, args: ResourceArgs): Step {
  return step(`declare ${name} ${JSON.stringify(args)}`, ({ program }) => program.set(name, args));
}

function withdraw(name: string): Step {
  return step(`withdraw ${name}`, ({ program }) => program.delete(name));
}

function run(plan: RunPlan): Step {
  return step(`run ${JSON.stringify(plan)}`, (world) => world.run(plan));
}

function breakService(rules: readonly FaultRule[]): Step {
  return step(`faults ${JSON.stringify(rules)}`, ({ simulator }) => {
    for (const rule of rules) simulator.addFault(rule);
  });
}

function mend(): Step {
  return step("mend", ({ simulator }) => simulator.clearFaults());
}

function pass(minutes: number): Step {
  return step(`${minutes} minutes pass`, ({ clock }) => clock.advance(minutes * MINUTE_MS));
}

function buyElsewhere(country: string, quantity: number): Step {
  return step(`somebody else buys ${quantity} in ${country}`, ({ simulator, clock }) => {
    simulator.placeForeignOrder(itemOf(country, quantity));
    // At the very moment of an order of ours is another story: the fault of that name tells it.
    clock.advance(MINUTE_MS);
  });
}

function changeMachine(): Step {
  return step("another machine", (world) => world.loseJournal());
}
