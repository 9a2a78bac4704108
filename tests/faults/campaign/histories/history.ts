import { type OrderRequest, ServiceError } from "../../../../provider/client/index.ts";
import { openAccount } from "../../../../provider/core/account.ts";
import { accountFormat } from "../../../../provider/core/journal/account-document.ts";
import { openDocuments } from "../../../../provider/core/journal/documents.ts";
import { readEnvelope } from "../../../../provider/core/journal/envelope.ts";
import { openJournalParts } from "../../../../provider/core/journal/journal-parts.ts";
import { presenceByTime } from "../../../../provider/core/journal/presence-by-time.ts";
import { type RawStore, StoreFailure } from "../../../../provider/core/journal/raw-store.ts";
import { DeliveryPendingError } from "../../../../provider/core/order/apply/delivery.ts";
import { createOrderLifecycle } from "../../../../provider/core/order/lifecycle.ts";
import type { CheckedOrder, OrderState } from "../../../../provider/core/order/model/state.ts";
import {
  type Clock,
  lonely,
  nothingElsewhere,
  type ProxyService,
  unknownRun,
} from "../../../../provider/core/ports.ts";
import { namesOf } from "../../../../provider/core/records/intent.ts";
import type { GivenInputs } from "../../../../provider/core/values/inputs.ts";
import { createFakeService, type FakeService } from "../../../core/support/fake-service.ts";
import { createMemoryStore } from "../../../core/support/memory-store.ts";
import { usualSettings } from "../../../support/usual-settings.ts";
import { type Sender, type Standing, watchFlights } from "../flights.ts";
import { mentions } from "../mentions.ts";
import type { Chooser } from "./explore.ts";
import {
  type Bounds,
  createScheduler,
  type Machine,
  type Mishap,
  Redundant,
  type Scheduler,
  timeAt,
} from "./scheduler.ts";

/** Who buys what. */
export type Scope =
  /** Two stacks of one account, each with an order of its own. */
  | "two stacks"
  /** Two runs of one stack: the first was cancelled, and goes on. */
  | "one stack twice";

/** How a history has ended. */
export interface HistoryResult {
  /** False for one that is another one in another order of steps that do not touch each other. */
  isNew: boolean;
  /** What is wrong. */
  wrong: readonly string[];
  /** What happened, for people. */
  told: readonly string[];
}

const HOUR_MS = 60 * 60_000;

const DAY_MS = 24 * HOUR_MS;

const STORE_AHEAD_MS = 7 * HOUR_MS;

/** Of the two machines. Both are ahead of the store, so that whoever believes them takes every turn for over. */
const CLOCKS_AHEAD_MS = [9 * HOUR_MS, 14 * HOUR_MS];

/** How long after its deadline a call is carried out that was put off: shortly before nobody expects it any more. */
const LATE_MS = 55_000;

const { timeoutMs, settlingMs } = usualSettings;

type Stack = "dev" | "live";

const ownerOf = (stack: Stack) => `org/urn:pulumi:${stack}::fleet::proxyrental:ProxyOrder::fleet`;

/** Plays one history through the real core: two machines buy, with a journal that they share. */
export async function playHistory(
  chooser: Chooser,
  scope: Scope,
  bounds: Bounds,
): Promise<HistoryResult> {
  const scheduler = createScheduler(chooser, bounds);
  const { begin, wrong, findLost } = createScene(scheduler);
  const stacks: Stack[] = scope === "two stacks" ? ["dev", "live"] : ["dev", "dev"];
  const states = new Map<Stack, Resource>();
  // Both have their plans before any of them buys.
  const runs: { run: Run; inputs: CheckedOrder }[] = [];
  for (const [index, stack] of stacks.entries()) {
    const run = begin(stack, CLOCKS_AHEAD_MS[index] ?? 0);
    runs.push({ run, inputs: await run.plan(undefined) });
  }
  for (const [index, { run, inputs }] of runs.entries()) {
    scheduler.begin(`machine ${index + 1}`, async (machine) => {
      run.giveTo(machine);
      const outputs = await run.buy(inputs);
      if (outputs !== undefined) states.set(run.stack, { inputs, outputs });
    });
  }
  try {
    await scheduler.run();
  } catch (error) {
    if (!(error instanceof Redundant)) throw error;
    return { isNew: false, wrong: [], told: scheduler.told };
  }
  // What was put off is over by then, and every turn.
  scheduler.advance(10 * 60_000);
  for (const stack of new Set(stacks)) wrong.push(...(await runAgain(begin(stack, 0), states)));
  wrong.push(...(await findLost(states)));
  return { isNew: true, wrong, told: scheduler.told };
}

/** The next run of a stack. It may fail only where the journal or the message names what was bought. */
async function runAgain(run: Run, states: Map<Stack, Resource>): Promise<string[]> {
  const before = states.get(run.stack);
  try {
    const inputs = await run.plan(before?.inputs);
    if (before !== undefined && inputs.quote.effect === "none") return [];
    const outputs = await run.buy(inputs);
    if (outputs === undefined) return [];
    if (before !== undefined) return [`the next run of ${run.stack} has changed its order`];
    states.set(run.stack, { inputs, outputs });
    return [];
  } catch {
    return [];
  }
}

/** What the engine keeps. */
interface Resource {
  inputs: CheckedOrder;
  outputs: OrderState;
}

/** One run of a stack. It does all at once, until its steps are chosen. */
interface Run {
  readonly stack: Stack;
  plan(before: CheckedOrder | undefined): Promise<CheckedOrder>;
  /** Undefined if nothing was bought, as far as the engine was told. */
  buy(inputs: CheckedOrder): Promise<OrderState | undefined>;
  /** From now on, its steps are those of this machine. */
  giveTo(machine: Machine): void;
}

interface Scene {
  /** @param aheadMs by how much the clock of its machine is ahead. */
  begin(stack: Stack, aheadMs: number): Run;
  /** What is wrong. */
  readonly wrong: string[];
  /** Looks for orders that were paid twice, or that nobody knows. */
  findLost(states: ReadonlyMap<Stack, Resource>): Promise<string[]>;
}

const ACCOUNT = "account.json";

const quantities = { dev: 2, live: 3 };

function argsOf(stack: Stack): GivenInputs {
  const known = { proxyType: "IPv4", country: "USA", rentPeriodDays: 30, goal: stack };
  return { known: { ...known, quantity: quantities[stack] }, unknown: new Set<string>() };
}

function createScene(scheduler: Scheduler): Scene {
  const wrong: string[] = [];
  const said: string[] = [];
  const raw = createMemoryStore(() => timeAt(scheduler.elapsedMs() + STORE_AHEAD_MS));
  const service = createService(scheduler);
  const time: Clock = {
    now: () => timeAt(scheduler.elapsedMs()),
    elapsedMs: scheduler.elapsedMs,
    sleep: async () => undefined,
  };
  const flights = watchFlights({
    ...{ clock: time, isShared: true, timeoutMs, settlingMs },
    isPutOff: service.isPutOff,
    blame: (what) => void wrong.push(what),
  });
  const hear = (line: string) => void said.push(line);

  async function readStanding(): Promise<Standing> {
    const { value } = await raw.read(ACCOUNT, 0);
    const at = timeAt(scheduler.elapsedMs() + STORE_AHEAD_MS);
    if (value === undefined) return { account: accountFormat.empty, at };
    const envelope = readEnvelope(ACCOUNT, raw.place, value.text);
    if (envelope.kind !== "live") throw new Error("nobody removes the account's document");
    return { account: accountFormat.parse(envelope.text), at };
  }

  const openJournal = (store: RawStore, clock: Clock) =>
    openJournalParts({
      documents: openDocuments(store, time),
      ...{ clock, isShared: true, isProbed: false, presence: presenceByTime },
      ...{
        memory: () => lonely,
        readElsewhere: async () => nothingElsewhere,
        identity: unknownRun,
      },
      ...{ holder: { pid: 1, host: "runner" }, project: "", apiKey: undefined },
    });

  function begin(stack: Stack, aheadMs: number): Run {
    let machine = freeMachine(scheduler);
    const steps = () => machine;
    const clock: Clock = {
      now: () => timeAt(scheduler.elapsedMs() + aheadMs),
      elapsedMs: scheduler.elapsedMs,
      sleep: (ms) => machine.sleep(ms),
    };
    const parts = openJournal(stepByStep(raw, steps), clock);
    const sender: Sender = {
      runId: () => parts.runId,
      isDead: () => false,
      departed: () => undefined,
      wait: (ms) => machine.sleep(ms),
      standing: readStanding,
    };
    const sent = sendInSteps(flights.leaving(sender, service.calls), steps, service.expect);
    const account = openAccount({
      service: flights.arriving(sender, sent),
      ...{ clock, settings: usualSettings, journal: parts, run: unknownRun },
      log: { info: hear, progress: hear, remark: (_owner, line) => hear(line), warn: hear },
    });
    const orders = createOrderLifecycle(account);

    async function plan(before: CheckedOrder | undefined): Promise<CheckedOrder> {
      const { checked, failures } = await orders.check(ownerOf(stack), before, argsOf(stack));
      if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
      // Nothing failed and nothing was unknown, so the checked inputs are complete.
      return checked as CheckedOrder;
    }

    return {
      stack,
      plan: (before) =>
        plan(before).catch((error: unknown) => {
          hear(String(error));
          throw error;
        }),

      async buy(inputs) {
        try {
          return await orders.create(inputs);
        } catch (error) {
          hear(String(error));
          return error instanceof DeliveryPendingError ? error.state : undefined;
        } finally {
          await account.journal.endRun();
        }
      },

      giveTo(given) {
        machine = given;
      },
    };
  }

  async function findLost(states: ReadonlyMap<Stack, Resource>): Promise<string[]> {
    const intents = await openJournal(raw, time).store.readAll();
    const named = new Set(
      intents.flatMap((intent) => [...namesOf(intent), ...(intent.candidates ?? [])]),
    );
    const open = intents.filter(({ phase }) => phase !== "closed");
    // A machine that crashes right before it sends leaves one too.
    const isTooMuch = !scheduler.hasCrashed() && open.length > service.sent();
    const held = new Set([...states.values()].map(({ outputs }) => outputs.orderNumber));
    const byGoal = Map.groupBy(service.orders(), ({ request }) => request.goal);
    const twice = [...byGoal].filter(([, orders]) => orders.length > 1);
    const lost = service
      .orders()
      .map(({ orderNumber }) => orderNumber)
      .filter((one) => !held.has(one) && !named.has(one) && !mentions(said.join("\n"), one));
    return [
      ...twice.map(([goal, orders]) => `${goal} was bought ${orders.length} times`),
      ...lost.map((one) => `order ${one} is paid, and nobody names it`),
      ...(isTooMuch ? ["the journal has a purchase that was never sent"] : []),
    ];
  }

  return { begin, wrong, findLost };
}

/** Does everything at once. */
function freeMachine({ advance }: Pick<Scheduler, "advance">): Machine {
  return { arrive: async () => undefined, sleep: async (ms) => advance(ms) };
}

/** What both machines read and write. Everything else in the journal is about one run, or says nothing of purchases. */
const isShared = (name: string) => name === ACCOUNT || name.startsWith("book/");

/** A store of which each request is a step. */
function stepByStep(raw: RawStore, machine: () => Machine): RawStore {
  async function ask<Answer>(
    kind: "read" | "write",
    name: string,
    request: () => Promise<Answer>,
  ): Promise<Answer> {
    if (!isShared(name)) return request();
    const mishap = await machine().arrive({ kind, on: name });
    if (mishap === "lostRequest") throw new StoreFailure("unanswered", "connection lost");
    const answer = await request();
    if (mishap === "lostAnswer") throw new StoreFailure("unanswered", "connection lost");
    return answer;
  }

  return {
    ...raw,
    read: (name, ...rest) => ask("read", name, () => raw.read(name, ...rest)),
    create: (name, ...rest) => ask("write", name, () => raw.create(name, ...rest)),
    replace: (name, ...rest) => ask("write", name, () => raw.replace(name, ...rest)),
  };
}

/** A service to which a purchase leaves in one step, and whose answer comes in another one. */
function sendInSteps(
  real: ProxyService,
  machine: () => Machine,
  expect: (mishap: Mishap) => void,
): ProxyService {
  return {
    ...real,
    async createOrder(request, options) {
      expect(await machine().arrive({ kind: "send", on: "service" }));
      const answer = await real.createOrder(request, options);
      await machine().arrive({ kind: "answer", on: "service" });
      return answer;
    },
  };
}

/** The service, in the time of the history. */
function createService({ elapsedMs }: Pick<Scheduler, "elapsedMs">) {
  const fake: FakeService = createFakeService();
  const late: { atMs: number; request: OrderRequest }[] = [];
  let expected: Mishap;
  let sent = 0;

  async function take(request: OrderRequest) {
    const listed = fake.records.length;
    const answer = await fake.createOrder(request);
    const dateStart = timeAt(elapsedMs()).toISOString();
    const dateEnd = timeAt(elapsedMs() + request.rentPeriodDays * DAY_MS).toISOString();
    fake.records = fake.records.map((one, index) =>
      index < listed ? one : { ...one, dateStart, dateEnd },
    );
    return answer;
  }

  /** What was put off is carried out when its time has come. */
  async function settle(): Promise<void> {
    fake.now = timeAt(elapsedMs());
    for (const due of late.filter(({ atMs }) => atMs <= elapsedMs())) {
      late.splice(late.indexOf(due), 1);
      await take(due.request);
    }
  }

  const noAnswer = () =>
    new ServiceError({
      ...{ code: "SERVICE_CONNECTION_LOST", outcome: "unknown", endpoint: "createOrder" },
      message: "the service did not answer createOrder",
    });

  const calls: ProxyService = {
    ...fake,
    async listProxies(request) {
      await settle();
      return fake.listProxies(request);
    },
    async getBalance() {
      await settle();
      return fake.getBalance();
    },
    async createOrder(request, options = {}) {
      await settle();
      const lastsMs = options.beforeSend?.() ?? timeoutMs;
      sent += 1;
      const mishap = expected;
      if (mishap === "lostRequest") throw noAnswer();
      if (mishap === "late") {
        late.push({ atMs: elapsedMs() + lastsMs + LATE_MS, request });
        throw noAnswer();
      }
      const answer = await take(request);
      if (mishap === "lostAnswer") throw noAnswer();
      return answer;
    },
  };

  return {
    calls,
    orders: () => fake.orders,
    /** How many purchases have left for it. */
    sent: () => sent,
    isPutOff: () => late.some(({ atMs }) => atMs > elapsedMs()),
    /** What befalls the next purchase. */
    expect(mishap: Mishap) {
      expected = mishap;
    },
  };
}
