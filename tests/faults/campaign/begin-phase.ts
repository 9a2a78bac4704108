import type { RunIdentity } from "../../../provider/core/ports.ts";
import type { Processes } from "./engine.ts";
import type { Sender } from "./flights.ts";
import type { Machine } from "./machines.ts";
import type { Mortality } from "./mortality.ts";
import { beginProcess, type ProviderProcess } from "./process.ts";
import { beginSpending } from "./spending-watch.ts";
import type { Tenant } from "./tenant.ts";
import { beginMarks, type ProcessMarks } from "./virtual-presence.ts";
import type { WorldParts } from "./world-parts.ts";

/** The command that a person has typed, and the id of its process. */
export type Command = Pick<RunIdentity, "command" | "commandId">;

/** One phase of a command. */
export interface Phase {
  command: Command;
  phase: "preview" | "update";
}

/** The processes of one phase of a run. */
export interface PhaseProcesses {
  processes: Processes;
  /** Where they are run. */
  checkout: number;
  marks: ProcessMarks;
  /** What they have said. */
  said(): string;
  whoAreYou(): Promise<unknown>;
  /** Ends them, as they end when the engine is done. */
  endInOrder(): Promise<unknown>;
  /** How many purchases they have sent. */
  sent(): number;
}

/** Begins all processes of one phase of a run. `number` tells it from all other phases. */
export function beginPhase(
  parts: WorldParts,
  tenant: Tenant,
  machine: Machine,
  life: Mortality,
  { command, phase, number }: Phase & { number: number },
): PhaseProcesses {
  const { families, options, simulator, machines, mishaps, place, presence, money } = parts;
  const { maxSpend } = money;
  const marks = beginMarks();
  const clockHere = machines.clockOf(machine);
  const watches = parts.watches.get(tenant);
  const checkout = machines.checkout();
  // Without the family `phases`, runs apply edits that no preview has shown, so no preview may leave a trace.
  const [shown, told] = families.has("phases")
    ? [tenant.shown.bindingOn(checkout), phase]
    : [new Map<never, never>(), "update" as const];
  const spending = beginSpending({ shown, maxSpend });
  const started: ProviderProcess[] = [];
  let sent = 0;

  const senderOf = (runId: () => string): Sender => ({
    runId,
    departed() {
      sent += 1;
    },
    isDead: life.isDead,
    wait: life.mortalClock(clockHere).sleep,
    standing: () => place.standing({ ...machine, baseUrl: simulator.baseUrl }, clockHere),
  });

  function start(): ProviderProcess {
    const sender = senderOf(() => process.runId);
    const process = beginProcess({
      ...{ simulator, ...machines.partsOn(machine), scope: tenant.scope },
      run: { run: `127.0.0.1:${number}`, ...command, phase: () => told },
      clock: life.mortalClock(clockHere),
      apiKey: tenant.account.apiKey,
      presence: presence.forProcess(marks),
      waitsForNotes: options.isPlugin,
      settings: {
        foreignOrders: tenant.foreignOrders,
        goneOrders: tenant.goneOrders,
        lookBackMinutes: options.lookBackMinutes,
        maxSpend,
      },
      interpose: {
        documents: (real) => life.interpose.documents(mishaps.wrap(real)),
        service(real) {
          const watched = watches?.spending.interpose(spending, real) ?? real;
          const left = watches?.flights.leaving(sender, watched) ?? watched;
          const mortal = life.interpose.service(left);
          return watches?.flights.arriving(sender, mortal) ?? mortal;
        },
      },
    });
    started.push(process);
    marks.runIds.add(process.runId);
    return process;
  }

  const first = start();
  const isSplit = families.has("providers");
  const second = isSplit ? start() : first;
  return {
    processes: {
      refresh: isSplit ? start() : first,
      // Some resources have an explicit provider.
      of: (name) => (name.startsWith("b") ? second : first),
    },
    ...{ checkout, marks },
    said: () => started.flatMap(({ lines }) => lines).join("\n"),
    // This slow computation is neither a file access nor a call, so steps could not wait for it.
    whoAreYou: () => Promise.allSettled(started.map((process) => process.journal.accountId())),
    endInOrder: () => Promise.all(started.map((process) => process.journal.endRun())),
    sent: () => sent,
  };
}
