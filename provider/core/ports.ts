import type { Client, ProxyType } from "../client/index.ts";
import type { Intent, Timed } from "./records/intent.ts";
import type { KnownFlag, SwitchingRun } from "./records/known-flag.ts";
import type { PlanTrace, Preview } from "./records/previewed-plan.ts";
import type { RunFact } from "./records/run-fact.ts";

/** What the core needs of the service: the client's methods without those of the connection. */
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

/** Writes lines for people, beside the engine's own output. It is never given a key or a password. */
export interface Log {
  /** Whether the engine waits for the last words of this process. @default false: what is said at the end may be lost */
  endsLast?: boolean;
  info(message: string): void;
  /** Says how far something has come. Such a line matters only until the next one. */
  progress(message: string): void;
  /** Says something of a resource, at that resource. The last words of the run say it again. */
  remark(owner: string, message: string): void;
  warn(message: string): void;
}

/**
 * Which proxies this package has switched on or off. A state that was recorded before does not know it. A proxy that
 * the listing has shown as switched off ends when its record says; one that was switched on does not.
 */
export interface KnownFlags {
  /** Never fails. What is not written down only leaves a doubt later. */
  note(flags: readonly Omit<KnownFlag, "turn" | "at">[]): Promise<void>;
  /** Writes down that a state has the proxies of these notes, which stay as they are. Never fails, as `note`. */
  saw(flags: readonly KnownFlag[]): Promise<void>;
  /** The newest note of each proxy of a type, by its id. */
  readAll(proxyType: ProxyType): Promise<ReadonlyMap<string, KnownFlag>>;
  /** Writes down that this run switches flags of a stack from now on: once for each stack. Never fails, as `note`. */
  noteRun(stack: string): Promise<void>;
  /** The turn that the next note would have had when this was first asked. Throws if it can't be read. */
  turnAtBeginning(): Promise<number>;
  /** The runs that have switched flags since, by a turn. Throws if they can't be read. */
  runsSince(turn: number): Promise<SwitchingRun[]>;
}

/** What previews have shown. While that binds, nothing else is bought. */
export interface PreviewedPlans {
  /**
   * Writes a plan down, if this process serves a preview. Throws `JournalError` if that is not possible: a person would agree
   * to a plan that binds nobody. Plans that are noted while another one is written are written at once.
   */
  note(plan: PlanTrace): Promise<void>;
  /**
   * The same for a plan that nobody waits for here: it is written with the next that somebody waits for, with many others, or
   * at the end.
   * @param isNeeded whether `written` throws where it can't be written. @default false: a preview that buys nothing may run
   * where nothing can be written
   */
  noteLater(plan: PlanTrace, isNeeded?: boolean): void;
  /** Waits until everything that was noted is written. Throws `JournalError` if what is needed can't be written. */
  written(): Promise<void>;
  /** Call this before anything is applied. From then on nothing that this process noted counts as a preview. */
  applies(): Promise<void>;
  /**
   * Call this when the plan of an owner was carried out, if no purchase tells that: what the previews that this process has read
   * have shown of it says nothing of the next one. Never fails: a person may be asked for a new preview.
   */
  carriedOut(owner: string): Promise<void>;
  /**
   * Call this when the engine has ended this process in the ordinary way. If it was one of an update, the preview inside its
   * command needs to be kept no longer than others. Never fails.
   */
  ended(): Promise<void>;
  /**
   * The previews of an owner's stack, the newest last: those of the last two hours, and the one inside this command, however old
   * it is. Throws `JournalError` if one can't be read.
   */
  ofStack(owner: string): Promise<readonly Preview[]>;
}

/**
 * What the provider processes of one run know together. A run has several of them: explicit providers, one for the
 * refresh and one for the update, and any that the engine has started again.
 */
export interface RunMemory {
  /** Whether there can be other processes. */
  readonly isShared: boolean;
  /**
   * Tells the others. Throws if it can't be written now: what they do not know may be spent twice. It is then told before
   * whatever is told next.
   */
  tell(fact: RunFact): Promise<void>;
  /** What the others have told since the last call, in the order in which they did. Throws if it can't be read, or was removed. */
  hear(): Promise<ToldFact[]>;
  /** The time by which all processes of the run tell when they have told something. It is never set back. */
  nowMs(): number;
  /** Whether a process of this name is one of the run's, and has told something. */
  hasTold(runId: string): Promise<boolean>;
}

/** What another process has told, and when, by `RunMemory.nowMs`. What it could not write at once is heard late. */
export interface ToldFact {
  fact: RunFact;
  toldAtMs: number;
}

/** For a process that serves no engine, or does not know which. It is alone. */
export const lonely: RunMemory = {
  isShared: false,
  nowMs: () => performance.now(),
  tell: async () => undefined,
  hear: async () => [],
  hasTold: async () => false,
};

/** Where the process of a run is, or was. */
export interface RunHolder {
  pid: number;
  host: string;
}

/** What is written down of runs beside their purchases. A failure here never fails a run. */
export interface RunRecords {
  /** Call this before a run's first purchase. */
  begin(runId: string): Promise<void>;
  /**
   * Call this when the engine has ended the run in the ordinary way. It has then saved what it was told, or has said
   * that it could not.
   */
  end(runId: string): Promise<void>;
  /** Whether `end` was called. For a run that was killed it was not. */
  hasEnded(runId: string): Promise<boolean>;
  /** Which process a run is; undefined if nobody wrote it down. */
  holderOf(runId: string): Promise<RunHolder | undefined>;
}

/** Who may buy, and which runs are alive. */
export interface Locks {
  /** Shows that the run is alive, until `letRunGo` or until this process ends in any way. */
  holdRun(runId: string): Promise<void>;
  /** Shows it no more. */
  letRunGo(): Promise<void>;
  /**
   * Whether a purchase of this run may be on its way now: its process lives, or, on a shared journal, it has the turn. Waits
   * for a heartbeat if the last one is not old enough to tell.
   */
  isRunAlive(runId: string): Promise<boolean>;
  /**
   * Whether the run that has made a purchase is alive, and the purchase its affair. A run may go on for hours with something else
   * when nobody could tell what became of its purchase: without the turn, that is its affair for as long as an answer may come.
   */
  isUnderWay(intent: Pick<Intent, "runId" | "phase" | Timed>): Promise<boolean>;
  /**
   * Until when a run counts as alive if it was killed, ISO 8601, by the journal's clock; undefined if it does not count as that, or
   * if this is seen otherwise, as on a journal of one machine.
   */
  turnEndOf(runId: string): Promise<string | undefined>;
  /**
   * Call this before anything is done because a run is not alive: it may only stand still, and go on later. Takes the turn
   * away from it, if it has it, so that it sends nothing any more. Throws `JournalError` if the run goes on.
   */
  stopRun(runId: string): Promise<void>;
  /**
   * Whether a run has gone on after this process began, for instance to wait for a delivery. May wait for a sign of it, so
   * ask while nobody waits for this process.
   */
  doesRunGoOn(runId: string): Promise<boolean>;
  /**
   * Does some work while no other process buys from the same account. Throws `JournalError` if the account stays busy
   * for longer than `waitMs`.
   */
  withAccount<Result>(
    times: {
      /** How long the work may take. On a shared journal, others may have the turn after that. */
      holdMs: number;
      waitMs: number;
      /** Throws if the work is not wanted any more. It is asked before this process waits for others, and while it does. */
      assertWanted?: () => void;
      /** Is called once if this process has waited for another one for some seconds, and goes on waiting. */
      onBusy?: () => void;
    },
    work: (lock: HeldLock) => Promise<Result>,
  ): Promise<Result>;
}

/** Who has the turn on an account, and until when by the journal's clock. */
export interface TurnHolder {
  readonly runId: string;
  readonly until: string;
}

/** Which runs go on. How that is seen depends on where the journal is. */
export interface Presence {
  /** Whether only the time of its turn tells that a run is alive. @default false */
  isByTime?: true;
  /** Shows that a run goes on, until `hide` or until this process ends in any way. */
  show(runId: string): Promise<void>;
  hide(): Promise<void>;
  /** See `Locks.isRunAlive`. */
  isAlive(runId: string): Promise<boolean>;
  /** Whether the holder of a turn is gone, so that another one may take it. */
  isGone(holder: TurnHolder, now: Date): Promise<boolean>;
  /** Whether nobody can take this process, which holds the turn, for gone at that time. Asks without a pause. */
  isShown(own: TurnHolder, now: Date): boolean;
}

/** A lock while it is held. */
export interface HeldLock {
  /** Whether somebody else held it when it was asked for. Then the account may have changed meanwhile. */
  contended: boolean;
  /** Throws if it was lost: this machine may have slept, so that another process took it for dead. */
  assertHeld(): void;
  /**
   * For how many milliseconds nobody else can have it, even if this process is never heard of again. Negative where others may
   * have it already. Throws if it was lost.
   */
  lastsMs(): number;
  /**
   * Makes it last longer where that is needed, and throws if it was lost by then: what was seen since it was last known to be
   * held may be another one's doing.
   */
  keep(): Promise<void>;
}

/**
 * Whether a store that has just given no answer is asked all the same. That takes seconds, so it is only for what has
 * happened already and must be written down.
 */
export type Urgency = "hasty" | "insistent";

/** Where purchases are kept. */
export interface JournalStore {
  /** Every purchase that there ever was. Throws `JournalError` if one can't be read. */
  readAll(): Promise<Intent[]>;
  /** The same in a turn: what nobody but this process can have added to since it took the turn is not read again. */
  readInTurn(): Promise<Intent[]>;
  /**
   * The sequence of the next purchase, by what was read last: higher than that of every purchase that was ever written down, also
   * of one that was removed.
   */
  nextSequence(): Promise<number>;
  /**
   * Writes a new intent, and that it is being sent, safe against a crash from then on. False if its id is taken. Throws
   * `JournalError` if this run does not have the turn.
   */
  create(intent: Intent): Promise<boolean>;
  /**
   * Replaces an intent by its next revision, safe against a crash from then on. Throws `JournalError` if another
   * process was first.
   * @param urgency @default "hasty"
   */
  replace(next: Intent, urgency?: Urgency): Promise<void>;
  /** Removes an intent that was never sent. */
  remove(intent: Intent): Promise<void>;
  /** Where the journal was copied to; undefined if it is still here. By what was read last. */
  movedTo(): Promise<{ url: string; at: string } | undefined>;
  /** Takes that back: a person says that it is here again. */
  reopen(): Promise<void>;
  /** Tidies up at the end of a run. What is not tidied now is tidied by a later run. Does not throw. */
  putAway(): Promise<void>;
}

/** Why the journal can't be used. Then nothing may be bought. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  /**
   * `busy`: another process has its turn on the account. `unfit`: the store breaks a promise that a journal needs.
   * `moved`: the journal was copied to another place. `incomplete`: one of its documents is gone.
   */
  readonly reason:
    | "unavailable"
    | "unreadable"
    | "incomplete"
    | "conflict"
    | "busy"
    | "unfit"
    | "moved";

  constructor(reason: JournalError["reason"], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** What the engine does now: it shows the plan, or carries it out. */
export type Phase = "preview" | "update" | "unknown";

/** Which run of the engine this process serves. */
export interface RunIdentity {
  /**
   * The same for all provider processes of one phase of one run, and for no other process; undefined if no engine
   * told it.
   */
  readonly run: string | undefined;
  /** What a person has typed; undefined if that can't be seen. An `up` shows a preview first, unless it skips it. */
  readonly command: "preview" | "up" | "other" | undefined;
  /** Names the CLI's process: the same in the preview and in the update of one `pulumi up`. @default not known */
  readonly commandId?: string | undefined;
  /**
   * Whether the command applies a plan file (`pulumi up --plan`). Then the engine refuses whatever is not as that file shows
   * it, the quotes among it. @default false
   */
  readonly appliesPlanFile?: boolean;
  /** `unknown`: nobody has told yet. Ask again each time, because a plugin learns it late. */
  phase(): Phase;
}

/** For a process of which no engine has said anything. */
export const unknownRun: RunIdentity = {
  run: undefined,
  command: undefined,
  phase: () => "unknown",
};

/** The purchases in other journals of this user. What can't be read of them stops no purchase. */
export interface Elsewhere {
  purchases: Intent[];
  /** Why one of these journals can't be read, in words, for each of them. */
  unread: string[];
}

/** For a journal beside which there is no other one. */
export const nothingElsewhere: Elsewhere = { purchases: [], unread: [] };

/** Where a journal is kept, and who writes it. */
export interface JournalParts {
  store: JournalStore;
  locks: Locks;
  previewed: PreviewedPlans;
  memory: RunMemory;
  runs: RunRecords;
  /** Tells the account apart from others at the same service; undefined if that is not possible. */
  accountId(): Promise<string | undefined>;
  readElsewhere(): Promise<Elsewhere>;
  flags: KnownFlags;
  /** What the clock of the journal's store says: machines that share it may have wrong ones. */
  now(): Date;
  /** A random name of this process. */
  runId: string;
  /** Folder of the Pulumi program. The same resource in another checkout is another resource. "" on a shared journal. */
  project: string;
  /** Tells stacks of one name apart, like those of two backends; "" if nothing does. */
  scope: string;
  /** Whether what other machines buy is in it, too. */
  isShared: boolean;
}
