import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { VirtualClock } from "../../support/virtual-clock.ts";
import type { JournalOfSchedule } from "./journal-place.ts";
import type { ProcessStart } from "./process.ts";

/** Where a run is. */
export interface Machine {
  /** By how much its clock is ahead of the other machines' clocks. */
  aheadMs: number;
  /** The folder on its disk. */
  journalDir: string;
}

/** The machines of a world, and the checkouts of the program that all of them have. */
export interface Machines {
  /** A person's machine. It runs everything if the journal is on its disk. */
  home(): Machine;
  /** The machine of the next run. */
  next(): Promise<Machine>;
  /** What a process is begun with because of the machine on which it is. */
  partsOn(machine: Machine): Pick<ProcessStart, "journalDir" | "openJournal" | "project">;
  clockOf(machine: Machine): VirtualClock;
  setClock(aheadMs: number): void;
  /** The checkout of the runs to come: the folder of the program on each machine. */
  checkout(): number;
  /** From now on the program is run from a checkout that has not run anything yet, or from an earlier one. */
  enterCheckout(which: "new" | "former"): void;
  /** Puts an empty disk into the person's machine. */
  replaceDisk(): Promise<void>;
  /** Deletes what is on their disks. */
  end(): Promise<void>;
}

/** What machines are made of. */
interface MachineParts {
  /** Where their disks are kept. */
  folder: string;
  place: JournalOfSchedule;
  clock: VirtualClock;
  /** By how much their clocks are ahead of the service's. */
  clockAheadMs: number;
}

export async function createMachines({
  folder: parent,
  place,
  clock,
  clockAheadMs,
}: MachineParts): Promise<Machines> {
  const folder = join(parent, randomUUID());
  let allAheadMs = clockAheadMs;
  let newestCheckout = 0;
  let checkout = 0;
  let disks = 0;
  let home: Machine = { aheadMs: 0, journalDir: await makeDisk() };

  async function makeDisk(): Promise<string> {
    const path = join(folder, `${disks++}`);
    await mkdir(path, { recursive: true });
    return path;
  }

  return {
    home: () => home,

    // Where machines share the journal, each run is on another one.
    next: async () =>
      place.isShared ? { aheadMs: place.nextMachine(), journalDir: await makeDisk() } : home,

    partsOn: ({ journalDir }) => ({
      ...{ journalDir, openJournal: place.open },
      project: `/project-${checkout}`,
    }),

    clockOf(machine) {
      const aheadMs = allAheadMs + machine.aheadMs;
      return { ...clock, now: () => new Date(clock.now().getTime() + aheadMs) };
    },

    setClock(aheadMs) {
      allAheadMs = aheadMs;
    },

    checkout: () => checkout,

    enterCheckout(which) {
      if (which === "new") newestCheckout += 1;
      // From the newest one, the one before; from an earlier one, the newest.
      const former = checkout === newestCheckout ? newestCheckout - 1 : newestCheckout;
      checkout = which === "new" ? newestCheckout : Math.max(0, former);
    },

    async replaceDisk() {
      home = { ...home, journalDir: await makeDisk() };
    },

    end: () => rm(folder, { recursive: true, force: true, maxRetries: 10 }),
  };
}
