import { randomUUID } from "node:crypto";
import {
  type Clock,
  JournalError,
  type JournalParts,
  type Locks,
  type Presence,
  type RunHolder,
  type RunIdentity,
  type RunMemory,
} from "../ports.ts";
import { messageOf } from "../values/message-of.ts";
import { remember } from "../values/remember.ts";
import { type AccountDocument, openAccount } from "./account-document.ts";
import { fingerprintKey } from "./account-fingerprint.ts";
import { openAccountTurn } from "./account-turn.ts";
import type { DocumentStore } from "./document-store.ts";
import { createFitnessCheck } from "./fit-store.ts";
import { openKnownFlags } from "./known-flags.ts";
import { openPreviewedPlans } from "./previewed-plans.ts";
import { openPurchases } from "./purchases.ts";
import { type JournalRecord, keepTime, type TimedStore } from "./record.ts";
import { openRunRecords } from "./run-records.ts";
import { openSigns, type Repeat } from "./signs-of-life.ts";

/** What a journal is opened with. */
export interface JournalContents {
  documents: DocumentStore;
  clock: Clock;
  /** See `JournalParts`. */
  isShared: boolean;
  /** Whether the store must be probed before something is bought with it. The tests of this package probe the others. */
  isProbed: boolean;
  /** How to see which runs go on. */
  presence(store: TimedStore, account: JournalRecord<AccountDocument>): Presence;
  memory(runId: string): RunMemory;
  readElsewhere: JournalParts["readElsewhere"];
  holder: RunHolder;
  /** Where nobody can see which processes live: how this one says from time to time that it goes on. */
  repeat?: Repeat | undefined;
  identity: RunIdentity;
  /** See `JournalParts`. */
  project: string;
  /** See `JournalParts`. @default "" */
  scope?: string | undefined;
  /** The account's key. The journal keeps a fingerprint of it. Undefined if accounts are not told apart. */
  apiKey: string | undefined;
  /** For how long a preview binds. @default two hours */
  previewBindsMs?: number | undefined;
}

/** To plan, many resources ask the same in a row. What is bought is compared with what is written in the turn. */
const SHARED_READS_LAST_MS = 1_000;

const BINDING_MS = 2 * 60 * 60 * 1000;

/** Builds a journal on a store of documents. Nothing is read or written before it is needed. */
export function openJournalParts({
  documents,
  clock,
  apiKey,
  project,
  scope = "",
  readElsewhere,
  isShared,
  isProbed,
  previewBindsMs = BINDING_MS,
  ...place
}: JournalContents): JournalParts {
  const runId = randomUUID();
  const store = keepTime(documents, clock, isShared ? SHARED_READS_LAST_MS : 0);
  const account = openAccount(store);
  const presence = place.presence(store, account);
  const runs = openRunRecords(store, place.holder);
  const { repeat } = place;
  const signs = repeat && openSigns({ store, runs, clock, runId, repeat });
  const locks = openAccountTurn({ store, account, presence, clock, runId, signs });
  const purchases = openPurchases(store, account);
  return {
    runId,
    project,
    scope,
    now: store.now,
    readElsewhere,
    isShared,
    store: purchases,
    locks: isProbed ? onFitStore(locks, createFitnessCheck(store, clock, runId)) : locks,
    previewed: openPreviewedPlans(store, {
      runId,
      identity: place.identity,
      scope,
      project: isShared ? undefined : project,
      bindsMs: previewBindsMs,
    }),
    memory: place.memory(runId),
    runs,
    flags: openKnownFlags(store, runId, project),
    accountId: remember(async () => {
      if (apiKey === undefined) return undefined;
      return fingerprintKey(store, apiKey, purchases).catch((error: unknown) => {
        if (error instanceof JournalError) throw error;
        const reason = messageOf(error);
        const where = `the journal in ${documents.place}`;
        throw new JournalError("unavailable", `${where} can't be used (${reason})`, error);
      });
    }),
  };
}

/** Nobody gets a turn on a store that is not fit. */
function onFitStore(locks: Locks, assertFit: () => Promise<void>): Locks {
  return {
    ...locks,
    async withAccount(times, work) {
      await assertFit();
      return locks.withAccount(times, work);
    },
  };
}
