import pLimit from "p-limit";
import { namesOf } from "../../../provider/core/records/intent.ts";
import { beginPhase, type Phase } from "./begin-phase.ts";
import { copyOf, type RunReport, runEngine } from "./engine.ts";
import { judgeUpdate } from "./judge-update.ts";
import { letGoOfForgotten, letGoOfUnwanted } from "./lost-journals.ts";
import type { Machine } from "./machines.ts";
import { beginLife, type EarlyEnd, type Lifespan } from "./mortality.ts";
import { findDuplicates, findTakenForGone, findUnnamed, type RunOutcome } from "./paid-orders.ts";
import {
  findRenewedMeanwhile,
  findRenewingElsewhere,
  findSwitchedOff,
  noteMaybeLetGo,
  noteMaybeOff,
} from "./renewals.ts";
import { tellRun } from "./tell-run.ts";
import { isCalled, type Tenant } from "./tenant.ts";
import type { WorldParts } from "./world-parts.ts";

/** One phase of a run that is to be played. */
export interface PlannedPhase extends Phase, Lifespan {
  machine: Machine;
  /** Whether the state is refreshed first. */
  refresh: boolean;
}

/** Plays the phases of runs, and judges each of them. */
export interface Phases {
  play(tenant: Tenant, planned: PlannedPhase): Promise<RunOutcome | EarlyEnd>;
  /** Does some work while no run begins. */
  beforeNext<Result>(work: () => Promise<Result>): Promise<Result>;
}

const MINUTE_MS = 60_000;

export function createPhases(parts: WorldParts): Phases {
  const { cancelled, clock, families, lost, machines, mishaps, options, place, presence } = parts;
  const { simulator, steps, tenants, transcript, verdict } = parts;
  /** One run begins at a time, so that the order of their numbers is the same each time. */
  const oneBegins = pLimit(1);
  let phases = 0;
  let underWay = 0;
  let begun = 0;

  /** Begins a phase of a run, up to the first call of the engine. */
  async function begin(
    tenant: Tenant,
    { machine, command, phase, refresh: _later, ...lifespan }: PlannedPhase,
  ) {
    const then = await steps.between(async () => {
      await letGoOfLost(tenant);
      return { before: tenant.countLiving(), sender: await findSender(machine) };
    });
    const lifeNumber = phases++;
    const life = beginLife(steps, lifeNumber, lifespan);
    const chargesBefore = tenant.account.ledger().length;
    const mishapsBefore = mishaps.hits();
    const told = { command, phase, number: phases };
    const processes = beginPhase(parts, tenant, machine, life, told);
    await steps.untilAlone(lifeNumber, Promise.race([processes.whoAreYou(), life.ended]));
    return { ...processes, ...then, life, chargesBefore, mishapsBefore };
  }

  /** The run that may be sending, for all that other machines can see. It may have been killed a moment ago. */
  async function findSender(machine: Machine): Promise<string | undefined> {
    if (!place.isShared) return undefined;
    const where = { ...machine, baseUrl: simulator.baseUrl };
    const { account, at } = await place.standing(where, machines.clockOf(machine));
    const { runId, until = "" } = account.turn ?? {};
    return at <= new Date(until) ? runId : undefined;
  }

  /** Lets go of what nobody can know of since a journal was lost. */
  async function letGoOfLost(tenant: Tenant): Promise<void> {
    if (!lost.any()) return;
    letGoOfUnwanted(tenant);
    const sinceMs = parts.serviceTime().getTime() - options.lookBackMinutes * MINUTE_MS;
    letGoOfForgotten(tenant, await parts.journal(tenant).readAll(), sinceMs);
  }

  /** The names of the orders that the journal has for other stacks. */
  async function readOthers(tenant: Tenant): Promise<ReadonlySet<string>> {
    const all = await steps.between(() => parts.journal(tenant).readAll());
    return new Set(all.filter(({ owner }) => !tenant.owns(owner)).flatMap(namesOf));
  }

  /** Begins a run, and gives what tells at its end whether no other one was there meanwhile. */
  function beginAlone(): () => boolean {
    const isFirst = underWay === 0 && !cancelled.any();
    const number = ++begun;
    underWay += 1;
    return () => {
      underWay -= 1;
      return isFirst && begun === number;
    };
  }

  function noteShown({ shown }: Tenant, { quotes, failures }: RunReport, checkout: number): void {
    // A preview that was refused has shown nothing that may be bought.
    if (failures.size > 0) shown.clear();
    else shown.note(checkout, quotes, clock.now().getTime());
  }

  async function play(tenant: Tenant, planned: PlannedPhase): Promise<RunOutcome | EarlyEnd> {
    const { command, phase, refresh } = planned;
    const { processes, checkout, marks, said, endInOrder, life, sent, ...then } = await oneBegins(
      () => begin(tenant, planned),
    );
    const previewOnly = phase === "preview";
    const released: string[] = [];
    const onReleased = (names: readonly string[]) => void released.push(...names);
    if (!previewOnly) tenant.earlier.push(copyOf(tenant.stack));
    const others = tenants.filter((other) => other !== tenant);
    const renewing = findRenewingElsewhere(tenant, others, lost.unrecorded);
    const endedAlone = beginAlone();
    const going = runEngine(processes, life, tenant.stack, tenant.declared(), {
      ...{ refresh, previewOnly, onReleased },
      onReplaced: (name) => void tenant.tainted.delete(name),
    });
    const report = await steps.until(Promise.race([going, life.ended]));
    if (report === "cancelled") cancelled.add(life, marks);
    else presence.release(marks);
    // The runs of other stacks may change what these say.
    const wasAlone = endedAlone();
    if (wasAlone) {
      verdict.broken.push(...(await findSwitchedOff(tenant, renewing, () => readOthers(tenant))));
    } else noteMaybeLetGo(tenant, lost.unrecorded);
    noteReleased(tenant, released);
    if (typeof report !== "string") verdict.broken.push(...findTakenForGone(tenant, report));
    transcript.push(tellRun(tenant, { command, phase, report, said: said(), at: clock.now() }));
    verdict.duplicates.push(...findDuplicates(tenant, then.before));
    if (previewOnly && sent() > 0) verdict.broken.push("a preview has sent a purchase");
    if (typeof report === "string") {
      // It says a line before it answers the check, so nobody knows here which of its plans a person has seen.
      if (previewOnly && said() !== "") tenant.shown.clear();
      if (!previewOnly) noteMaybeOff(tenant);
      return report;
    }
    // What it has switched off with an order, the auto-extension of an order that failed has as on.
    if (released.length > 0 && report.failures.size > 0) noteMaybeOff(tenant);
    await steps.until(Promise.race([endInOrder(), life.ended]));
    const outcome = { ...report, said: [...report.failures.values(), said()].join("\n") };
    // What a preview could not write down, it has shown to nobody.
    if (previewOnly && mishaps.hits() > then.mishapsBefore) tenant.shown.clear();
    else if (previewOnly) noteShown(tenant, report, checkout);
    else
      await steps.between(() => {
        const renewed = wasAlone
          ? new Set<string>()
          : findRenewedMeanwhile(tenant, others, lost.unrecorded);
        return judgeUpdate(parts, tenant, outcome, then.chargesBefore, renewed);
      });
    // If the program declares no order, and none is deleted, the engine does not ask the provider. A run that can't read
    // the journal says that instead.
    const isCalled = tenant.program.size > 0 || released.length > 0;
    // Without the family `phases` a preview takes itself for an update, and shows no plan.
    const isTelling = families.has("phases") || !previewOnly;
    const isAsked = report.isChecked && isCalled && isTelling && !isWithoutJournal(report);
    if (families.has("reports") && !lost.any() && isAsked) {
      const unnamed = await steps.between(async () => {
        const all = await parts.journal(tenant).readAll();
        const isGoingOn = (id: string) => id === then.sender || cancelled.isGoingOn(id);
        return findUnnamed(tenant, outcome, { all }, isGoingOn);
      });
      verdict.broken.push(...unnamed);
    }
    return outcome;
  }

  return { play, beforeNext: (work) => oneBegins(() => steps.between(work)) };
}

/** Notes what a run has taken out of the state, and nobody holds. */
function noteReleased({ account, known, release }: Tenant, released: readonly string[]): void {
  const inState = known();
  for (const name of released) {
    const order = account.orders().find((one) => isCalled(one, name));
    // An order that was adopted by its other number is still held.
    const isHeld = order && (inState.has(order.orderId) || inState.has(order.orderNumber));
    if (order && !isHeld) release(order.orderNumber);
  }
}

/** Whether a run was stopped because the journal gave no answer. */
function isWithoutJournal({ failures }: RunReport): boolean {
  return [...failures.values()].some((failure) => failure.startsWith("JOURNAL_UNAVAILABLE"));
}
