import type { FaultRule } from "../../../simulator/index.ts";
import type { Families } from "./families.ts";
import type { EarlyEnd, Lifespan } from "./mortality.ts";
import type { RunOutcome } from "./paid-orders.ts";
import { createPhases } from "./play-phase.ts";
import type { StoreMishap } from "./store-mishaps.ts";
import { createParts, type WorldOptions, type WorldParts, type WorldPlace } from "./world-parts.ts";

/** What happens in a run. Its lifespan is that of its update. */
export interface RunPlan extends Lifespan {
  refresh: boolean;
  /** `both` is an `up` that shows a preview first. */
  phases: "preview" | "update" | "both";
  /** The number of the stack that runs. @default 0 */
  tenant?: number | undefined;
  /** What happens between the preview and the update. */
  between?: ((world: World) => void) | undefined;
}

/** One service, one machine or several, the stacks, and what went wrong with them. */
export interface World
  extends Pick<
    WorldParts,
    "simulator" | "clock" | "families" | "tenants" | "verdict" | "transcript" | "journal"
  > {
  /** Returns undefined if the run was killed or cancelled. */
  run(plan: RunPlan): Promise<RunOutcome | undefined>;
  /** Runs of several stacks go on at the same time. Those of one stack come one after the other. */
  runTogether(plans: readonly RunPlan[]): Promise<void>;
  addFaults(rules: readonly FaultRule[]): void;
  /** Makes calls to the journal's store fail. */
  breakStore(mishap: StoreMishap): void;
  clearFaults(): void;
  /** From now on all prices are the list prices times this factor. */
  setPrices(factor: number): void;
  /** From now on nothing limits what a run may spend. */
  liftLimit(): void;
  setClock(aheadMs: number): void;
  enterCheckout(which: "new" | "former"): void;
  /** Starts with an empty journal, as if the next run was on another machine. */
  loseJournal(): Promise<void>;
  /**
   * Whether nobody has a record of the order since a journal was lost. If a listing hid such an order, nobody could
   * notice it, which docs/limits.md says. So listings always show it.
   */
  isForgotten(row: { orderId: string }): boolean;
  /** Waits until the cancelled runs have done what they were about to do. */
  settleOrphans(): Promise<void>;
  end(): Promise<void>;
}

const MINUTE_MS = 60_000;

/** A week, which is the longest look-back that the settings allow. */
export const LONGEST_LOOK_BACK_MINUTES = 7 * 24 * 60;

/**
 * Makes a world with empty stacks.
 * @param random decides which step is next
 */
export async function createWorld(
  random: () => number,
  within: WorldPlace,
  families: Families,
  options: WorldOptions,
): Promise<World> {
  const parts = await createParts(random, within, families, options);
  const { cancelled, clock, lost, machines, mishaps, money, place, simulator, tenants } = parts;
  const phases = createPhases(parts);
  let commands = 0;

  function standingFaults(): FaultRule[] {
    const { dateAheadMs: aheadMs } = options;
    if (aheadMs === 0) return [];
    return [{ endpoint: "any", phase: "after", fault: { kind: "date", aheadMs } }];
  }

  const world: World = {
    ...parts,

    async run({ refresh, phases: played, tenant: index = 0, between, ...lifespan }) {
      const tenant = tenants[index % tenants.length];
      if (tenant === undefined) throw new Error("a world has a stack");
      const commandId = `${commands++}`;
      const machine = await phases.beforeNext(machines.next);
      const play = async (
        command: "preview" | "up",
        phase: "preview" | "update",
        life: Lifespan,
      ) => {
        const told = { command, commandId };
        const planned = { ...life, command: told, phase, machine, refresh };
        return unlessEnded(await phases.play(tenant, planned));
      };
      if (played === "preview") return play("preview", "preview", lifespan);
      if (played === "both") {
        const shown = await play("up", "preview", {});
        // If the preview of an `up` fails, the `up` ends.
        if (shown === undefined || shown.failures.size > 0) return shown;
        between?.(world);
      }
      return play("up", "update", lifespan);
    },

    async runTogether(plans) {
      const byTenant = Map.groupBy(plans, ({ tenant = 0 }) => tenant % tenants.length);
      await Promise.all(
        Array.from(byTenant.values(), async (ofTenant) => {
          for (const plan of ofTenant) await world.run(plan);
        }),
      );
    },

    addFaults(rules) {
      for (const rule of rules) simulator.addFault(rule);
    },

    breakStore: mishaps.add,

    clearFaults() {
      simulator.clearFaults();
      mishaps.clear();
      world.addFaults(standingFaults());
    },

    setPrices(factor) {
      money.priceMoves += 1;
      for (const { account } of tenants) account.setPriceFactor("IPv4", factor);
    },

    liftLimit() {
      money.maxSpend = undefined;
    },

    setClock(aheadMs) {
      machines.setClock(aheadMs);
      // This machine's clock decides how long previews bind, so the earlier ones no longer count.
      for (const { shown } of tenants) shown.clear();
    },

    enterCheckout: machines.enterCheckout,

    async loseJournal() {
      if (place.isShared) return;
      // With a short look-back, a new machine can't know of older orders and would buy them again.
      if (options.lookBackMinutes < LONGEST_LOOK_BACK_MINUTES || cancelled.any()) return;
      lost.note(tenants);
      await machines.replaceDisk();
      for (const { shown } of tenants) shown.clear();
      // A new machine needs some time. By then, all orders that were sent are charged and listed.
      clock.advance(5 * MINUTE_MS);
    },

    isForgotten: lost.isForgotten,
    settleOrphans: cancelled.settle,

    async end() {
      await simulator.stop();
      await place.end();
      await machines.end();
    },
  };
  world.addFaults(standingFaults());
  return world;
}

function unlessEnded(outcome: RunOutcome | EarlyEnd): RunOutcome | undefined {
  return typeof outcome === "string" ? undefined : outcome;
}
