import type { Client } from "../client/index.ts";
import type { Intent } from "./records/intent.ts";
import type { KnownFlag } from "./records/known-flag.ts";
import type { PlanTrace, PreviewedPlan } from "./records/previewed-plan.ts";
import type { RunFact } from "./records/run-fact.ts";

/** What the lifecycle needs of the service: the client's methods, less what belongs to the connection. */
export type ProxyService = Omit<Client, "close">;

/** The calls that spend nothing at once. */
export type FreeService = Omit<ProxyService, "createOrder" | "extend">;

/** Time as it passes here. The service's own clock comes with its answers and decides what has expired. */
export interface Clock {
  now(): Date;
  /** Milliseconds that never jump, for ages and deadlines. */
  elapsedMs(): number;
  sleep(ms: number): Promise<void>;
}

/** Where the lines go that a person reads beside the engine's own output. Never given a key or password. */
export interface Log {
  info(message: string): void;
  /** How far something has come: of interest until the next line, and not afterwards. */
  progress(message: string): void;
  warn(message: string): void;
}

/**
 * Which proxies this package has switched on or off: a state that was recorded before does not know of it. A
 * proxy that was switched off, as the listing has shown, ends when it says; one that was switched on does not.
 */
export interface KnownFlags {
  /** Never fails: what is not written down leaves a doubt later, and no more. */
  note(flags: readonly Omit<KnownFlag, "turn" | "at">[]): Promise<void>;
  /** The newest of each proxy, by its id. */
  readAll(): Promise<ReadonlyMap<string, KnownFlag>>;
}

/** What previews have shown: nothing else is bought while it binds. */
export interface PreviewedPlans {
  /** Leaves a trace of a plan, if this process serves a preview. Never fails: previews may run where nothing can be written. */
  note(plan: PlanTrace): Promise<void>;
  /** To be called before anything is applied: from then on this process has shown nothing to anybody. */
  applies(): Promise<void>;
  /**
   * To be asked by a purchase: what previews under two hours old have shown for its owner, and all of which it must
   * fit. That is the newest preview; and where the newest was a part of another `pulumi up`, also the newest that was
   * not: an `up` that was refused after its preview (by a policy, or by a plan file) may forbid, and permits nothing.
   */
  bindingOn(owner: string): Promise<PreviewedPlan[]>;
  /** The owners of all plans in the preview that is the newest for this one. */
  besides(owner: string): Promise<ReadonlySet<string>>;
}

/**
 * What the provider processes of one run know together: several providers of one program, the process that refreshed
 * and the one that updates, and one that the engine has started anew.
 */
export interface RunMemory {
  /** Whether there may be other processes at all. */
  readonly isShared: boolean;
  /** Tells the others. Throws where it can't be written: what they do not know may be spent twice. */
  tell(fact: RunFact): Promise<void>;
  /** What the others have told since this was asked last. */
  hear(): Promise<RunFact[]>;
}

/** For a process that serves no engine, or does not know which: it has no others. */
export const lonely: RunMemory = {
  isShared: false,
  tell: async () => undefined,
  hear: async () => [],
};

/** Where a run's process is, or was. */
export interface RunHolder {
  pid: number;
  host: string;
}

/** What is written down of runs beside their purchases. Nothing here is worth failing a run for. */
export interface RunRecords {
  /** To be called before a run's first purchase. */
  begin(runId: string): Promise<void>;
  /**
   * To be called when the engine has ended the run in the ordinary way: it has saved whatever it was told, or has
   * said that it could not.
   */
  end(runId: string): Promise<void>;
  /** Whether that was called. A run that was killed has not ended in an orderly way. */
  hasEnded(runId: string): Promise<boolean>;
  /** Which process a run is; undefined where nobody wrote it down. */
  holderOf(runId: string): Promise<RunHolder | undefined>;
}

/** Who may buy, and who is still there. */
export interface Locks {
  /** Shows that the run is alive, until it is let go or this process ends, however it ends. */
  holdRun(runId: string): Promise<void>;
  /** Shows it no longer. */
  letRunGo(): Promise<void>;
  /** Whether a run goes on. Waits for a heartbeat where the last one is not old enough to tell. */
  isRunAlive(runId: string): Promise<boolean>;
  /**
   * Does something while no other process buys from the same account. Throws `JournalError` where the
   * account stays busy for longer than `waitMs`.
   */
  withAccount<Result>(waitMs: number, work: (lock: HeldLock) => Promise<Result>): Promise<Result>;
}

/** A lock while it is held. */
export interface HeldLock {
  /** Whether somebody else had it when it was asked for: then the account may have changed meanwhile. */
  contended: boolean;
  /** Throws where it was lost: this machine slept, say, and another process took it for dead. */
  assertHeld(): void;
}

/**
 * Where intents are kept. Files on this machine are the default; a store that many runners share can stand
 * behind the same interface.
 */
export interface JournalStore {
  /** Every intent that is not done. Throws `JournalError` where one can't be read: it may hide a purchase. */
  readOpen(): Promise<Intent[]>;
  /** Every intent that is done. What can't be read is left out: it stands in nobody's way. */
  readDone(): Promise<Intent[]>;
  /** Puts a new intent down, safe against a crash from then on. False where its id is taken. */
  create(intent: Intent): Promise<boolean>;
  /**
   * Puts the next revision in the place of the one before it, safe against a crash from then on. Throws
   * `JournalError` where another process was first.
   */
  replace(next: Intent): Promise<void>;
  /** Takes away an intent that came to nothing. */
  remove(intent: Intent): Promise<void>;
}

/** Why the journal can't be used: nothing may be bought then. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  /** `busy`: another process has its turn on the account. */
  readonly reason: "unavailable" | "unreadable" | "conflict" | "busy";

  constructor(reason: JournalError["reason"], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** What the engine does with what it is told now: show it, or carry it out. */
export type Phase = "preview" | "update" | "unknown";

/** Which run of the engine this process serves. */
export interface RunIdentity {
  /** The same for all provider processes of one phase of one run, and for no other; undefined where no engine said it. */
  readonly run: string | undefined;
  /** What a person has typed; undefined where it can't be seen. An `up` shows a preview first, unless it skips it. */
  readonly command: "preview" | "up" | "other" | undefined;
  /** Names the CLI's process: the same in the preview and in the update of one `pulumi up`. @default not known */
  readonly commandId?: string | undefined;
  /** `unknown`: nobody has told yet. Asked anew each time, since a plugin learns it late. */
  phase(): Phase;
}

/** For a process of which no engine has said anything. */
export const unknownRun: RunIdentity = {
  run: undefined,
  command: undefined,
  phase: () => "unknown",
};

/** Where a journal is kept, and who writes it. */
export interface JournalParts {
  store: JournalStore;
  locks: Locks;
  previewed: PreviewedPlans;
  memory: RunMemory;
  runs: RunRecords;
  /** Tells the account apart from others at the same service; undefined where that is not possible. */
  accountId(): Promise<string | undefined>;
  /** Purchases that are written down in other journals of this user. */
  readElsewhere(): Promise<Intent[]>;
  flags: KnownFlags;
  /** A random name of this process. */
  runId: string;
  /** Folder of the Pulumi program: the same resource of another checkout is another one. */
  project: string;
}
