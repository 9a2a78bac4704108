import fc, { type AsyncCommand } from "fast-check";
import type { FaultRule } from "../../../simulator/index.ts";
import type { ResourceArgs, RunPlan, World } from "./world.ts";

/** What the schedule has done so far; all else is in the world. */
export interface Model {
  names: Set<string>;
}

type Step = AsyncCommand<Model, World>;

const resourceNames = ["a", "b", "c"];

const countries = ["USA", "DEU"];

const MINUTE_MS = 60_000;

/** What is charged later than this after its answer was lost is out of the provider's reach. */
const SETTLING_MS = 60_000;

/** Everything that may happen to a stack. */
export function anyStep(): fc.Arbitrary<Step>[] {
  const name = fc.constantFrom(...resourceNames);
  const args: fc.Arbitrary<ResourceArgs> = fc.record({
    country: fc.constantFrom(...countries),
    quantity: fc.integer({ min: 1, max: 2 }),
    allowReplacement: fc.boolean(),
  });
  return [
    fc.tuple(name, args).map(([of, given]) => declare(of, given)),
    name.map(withdraw),
    anyRun().map(run),
    anyRun().map(run),
    anyRun().map(run),
    anyFault().map(breakService),
    anyFault().map(breakService),
    fc.constant(mend()),
    fc.constantFrom(1, 29, 31, 31 * 24 * 60).map(pass),
    fc.constantFrom(...countries).map(buyElsewhere),
    fc.constant(changeMachine()),
  ];
}

function anyRun(): fc.Arbitrary<RunPlan> {
  const killedAfter = fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined, freq: 2 });
  const previewOnly = fc.integer({ min: 0, max: 4 }).map((one) => one === 0);
  return fc.record({ refresh: fc.boolean(), previewOnly, killedAfter });
}

function anyFault(): fc.Arbitrary<FaultRule> {
  const calls = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });
  const phase = fc.constantFrom("before" as const, "after" as const);
  const item = (country: string, quantity: number) =>
    ({ proxyType: "IPv4", country, quantity, rentPeriodDays: 30 }) as const;
  const spoiled = fc.constantFrom<FaultRule["fault"]>(
    { kind: "reset" },
    { kind: "reset" },
    { kind: "hang" },
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
        .tuple(fc.constantFrom(...countries), fc.integer({ min: 1, max: 2 }))
        .map((of) => ({ kind: "foreignOrder", item: item(...of) }) as const),
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

function breakService(rule: FaultRule): Step {
  return step(`fault ${JSON.stringify(rule)}`, ({ simulator }) => simulator.addFault(rule));
}

function mend(): Step {
  return step("mend", ({ simulator }) => simulator.clearFaults());
}

function pass(minutes: number): Step {
  return step(`${minutes} minutes pass`, ({ clock }) => clock.advance(minutes * MINUTE_MS));
}

function buyElsewhere(country: string): Step {
  return step(`somebody else buys in ${country}`, ({ simulator, clock }) => {
    simulator.placeForeignOrder({ proxyType: "IPv4", country, quantity: 1, rentPeriodDays: 30 });
    // At the very moment of an order of ours is another story: the fault of that name tells it.
    clock.advance(MINUTE_MS);
  });
}

function changeMachine(): Step {
  return step("another machine", (world) => world.loseJournal());
}
