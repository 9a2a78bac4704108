import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AccountSettings } from "../../provider/core/account.ts";
import type { DocumentStore } from "../../provider/core/journal/document-store.ts";
import { DeliveryPendingError } from "../../provider/core/order/apply/delivery.ts";
import type { CheckedOrder, OrderState } from "../../provider/core/order/model/state.ts";
import { nameUnclaimedOfOthers } from "../../provider/core/order/recover/unclaimed.ts";
import { type Clock, JournalError, type ProxyService } from "../../provider/core/ports.ts";
import { stackOf } from "../../provider/core/values/owner.ts";
import { openSharedJournal } from "../../provider/journals/open-journal.ts";
import { serviceFailure } from "../core/support/fake-service.ts";
import { given } from "../core/support/orders-under-test.ts";
import { openStore } from "../journals/open-store.ts";
import { startForTest } from "../simulator/start.ts";
import { type AccountRun, beginAccountRun } from "../support/account.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { createFastClock } from "./fast-clock.ts";
import { heldNumbers, type Outcome, type Scene } from "./invariants.ts";

/** Stacks of one account that share a journal. Each run is on a machine of its own, whose disk is new. */
export interface MachinesScene extends Scene {
  /** Plans the order of a stack, and gives what carries the plan out: in the same run, on the same machine. */
  plan(stack: string): Promise<Planned>;
  up(stack: string): Promise<Outcome>;
  /** Begins an `up` that has looked at the account for something else before. */
  look(stack: string): Promise<{ goOn(): Promise<Outcome> }>;
  /** Begins an `up` whose order is carried out, and answered when it is to go on. */
  charge(stack: string): Promise<{ goOn(): Promise<Outcome> }>;
  /**
   * An `up` whose order gets no answer, and is carried out as late as can be; and the store of the journal gives no answer either,
   * once, when the run begins to look for it.
   */
  upUnwatched(stack: string): Promise<Outcome>;
  /** What a run says that has no resource of a stack left, as a destroy. */
  nameUnclaimed(stack: string): Promise<string>;
  /** An `up` to which the service never answers its order, whether that is carried out or not. */
  upUnanswered(stack: string, isCarriedOut: boolean): Promise<Outcome>;
  /**
   * Begins an `up` that is killed where its order would be sent: before the call, or once it was carried out. "late": the
   * connection stands after 10 s, and the service carries the call out shortly before nobody expects that any more.
   */
  kill(stack: string, when: "before" | "after" | "late"): Promise<void>;
}

/** A run that has planned. */
export interface Planned {
  create(): Promise<Outcome>;
}

interface Kept {
  inputs: CheckedOrder;
  outputs: OrderState;
}

const ownerIn = (stack: string) => `org/urn:pulumi:${stack}::fleet::proxyrental:ProxyOrder::fleet`;

/** How long after its deadline a call is carried out that is late. Up to 60 s are to be expected. */
const LATE_MS = 58_000;

/**
 * The core over real HTTP on a journal that machines share, in real files. Nobody can see there whether a run was killed.
 * @param programs the arguments of each stack's order that differ from the usual ones
 * @param clock @default one on which nobody waits; not for runs that go on at the same time, since one would skip the
 * turn of the other
 */
export async function createMachinesScene(
  programs: Readonly<Record<string, object>>,
  settings: Partial<AccountSettings> = {},
  clock: Clock = createFastClock(),
): Promise<MachinesScene> {
  const simulator = await startForTest({ now: clock.now });
  const openingBalance = simulator.balance();
  const journalDir = await makeTemporaryFolder();
  const documents = await openStore(pathToFileURL(journalDir).href, clock);
  const kept = new Map<string, Kept>();
  const outcomes: Outcome[] = [];
  let machines = 0;

  async function begin(
    service?: (real: ProxyService) => ProxyService,
    own: DocumentStore = documents,
  ): Promise<AccountRun> {
    const disk = join(await makeTemporaryFolder(), `machine-${++machines}`);
    await mkdir(disk);
    return beginAccountRun({
      ...{ simulator, journalDir: disk, clock, settings },
      openJournal: (place, clockHere) =>
        openSharedJournal({ documents: own, isProbed: false }, place, clockHere),
      ...(service && { interpose: { service } }),
    });
  }

  function putOff(afterMs: number): void {
    const fault = { kind: "lateCommit", afterMs: Math.floor(afterMs) } as const;
    simulator.addFault({ endpoint: "createOrder", calls: [1], phase: "before", fault });
  }

  async function check({ orders }: AccountRun, stack: string): Promise<CheckedOrder> {
    const { checked, failures } = await orders.check(
      ownerIn(stack),
      kept.get(stack)?.inputs,
      given(programs[stack]),
    );
    if (failures.length === 0) return checked as CheckedOrder;
    throw new Error(failures.map(({ code, reason }) => `${code}: ${reason}`).join("; "));
  }

  async function create({ orders }: AccountRun, stack: string, inputs: CheckedOrder) {
    const before = kept.get(stack);
    if (before !== undefined) {
      const { kind } = await orders.diff(before.outputs, inputs, new Set());
      if (kind === "none") return;
      throw new Error(`this stage knows no ${kind}`);
    }
    try {
      kept.set(stack, { inputs, outputs: await orders.create(inputs) });
    } catch (error) {
      if (error instanceof DeliveryPendingError) kept.set(stack, { inputs, outputs: error.state });
      throw error;
    }
  }

  /** Does the rest of a run, and says how it went. */
  async function end(run: AccountRun, work: () => Promise<void>): Promise<Outcome> {
    const beganMs = clock.elapsedMs();
    const failures: string[] = [];
    await work().catch((error: unknown) => {
      failures.push(error instanceof Error ? error.message : String(error));
    });
    await run.account.journal.endRun();
    const text = [...run.lines, ...failures].join("\n");
    const outcome = { failed: failures.length > 0, text, tookMs: clock.elapsedMs() - beganMs };
    outcomes.push(outcome);
    return outcome;
  }

  const planAndCreate = (run: AccountRun, stack: string) =>
    end(run, async () => create(run, stack, await check(run, stack)));

  const scene: MachinesScene = {
    ...{ simulator, openingBalance, journalDir, outcomes },

    async plan(stack) {
      const run = await begin();
      const inputs = await check(run, stack);
      return { create: () => end(run, () => create(run, stack, inputs)) };
    },

    async up(stack) {
      const run = await begin();
      return planAndCreate(run, stack);
    },

    async look(stack) {
      const run = await begin();
      await run.account.listing.complete("IPv4");
      return { goOn: () => planAndCreate(run, stack) };
    },

    async charge(stack) {
      const charged = Promise.withResolvers<void>();
      const answered = Promise.withResolvers<void>();
      const run = await begin((real) => ({
        ...real,
        async createOrder(...call) {
          const answer = await real.createOrder(...call);
          charged.resolve();
          await answered.promise;
          return answer;
        },
      }));
      const ended = planAndCreate(run, stack);
      await Promise.race([charged.promise, ended]);
      return {
        goOn() {
          answered.resolve();
          return ended;
        },
      };
    },

    async upUnwatched(stack) {
      let isAway = false;
      const own: DocumentStore = {
        ...documents,
        async read(name) {
          const isNow = isAway;
          isAway = false;
          if (isNow) throw new JournalError("unavailable", "the store gave no answer");
          return documents.read(name);
        },
      };
      const run = await begin(
        (real) => ({
          ...real,
          async createOrder(request, options) {
            const waitMs = options?.beforeSend?.() ?? 0;
            putOff(waitMs + LATE_MS);
            await real.createOrder(request).catch(() => undefined);
            await clock.sleep(waitMs);
            isAway = true;
            throw serviceFailure("unknown");
          },
        }),
        own,
      );
      return planAndCreate(run, stack);
    },

    async nameUnclaimed(stack) {
      const run = await begin();
      const named = nameUnclaimedOfOthers(run.account, stackOf(ownerIn(stack)));
      return (await end(run, () => named)).text;
    },

    async upUnanswered(stack, isCarriedOut) {
      const run = await begin((real) => ({
        ...real,
        async createOrder(request, options) {
          const waitMs = options?.beforeSend?.() ?? 0;
          if (isCarriedOut) await real.createOrder(request);
          await clock.sleep(waitMs);
          throw serviceFailure("unknown");
        },
      }));
      return planAndCreate(run, stack);
    },

    async kill(stack, when) {
      const reached = Promise.withResolvers<void>();
      const run = await begin((real) => ({
        ...real,
        async createOrder(request, options) {
          if (when === "late") await clock.sleep(10_000);
          const waitMs = options?.beforeSend?.() ?? 0;
          if (when === "late") putOff(waitMs + LATE_MS);
          if (when !== "before") await real.createOrder(request).catch(() => undefined);
          reached.resolve();
          // It is never heard of again.
          return new Promise(() => undefined);
        },
      }));
      const inputs = await check(run, stack);
      const buying = create(run, stack, inputs);
      buying.catch(reached.reject);
      await reached.promise;
    },

    async state() {
      const outputs = Array.from(kept.values(), (one) => one.outputs);
      const plain = outputs.map(({ credentials: _secret, urls: _too, ...rest }) => rest);
      const inputs = Array.from(kept.values(), (one) => one.inputs);
      return { held: outputs.flatMap(heldNumbers), text: JSON.stringify([plain, inputs]) };
    },

    async rerun() {
      const each: Outcome[] = [];
      for (const stack of Object.keys(programs)) each.push(await scene.up(stack));
      const text = each.map((outcome) => outcome.text).join("\n");
      return { failed: each.some(({ failed }) => failed), text };
    },

    async isSettled() {
      for (const stack of Object.keys(programs)) {
        const { quote } = await check(await begin(), stack);
        if (quote.effect !== "none") return false;
      }
      return true;
    },
  };
  return scene;
}
