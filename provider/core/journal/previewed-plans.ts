import { z } from "zod";
import { JournalError, type Phase, type PreviewedPlans, type RunIdentity } from "../ports.ts";
import {
  type PlanTrace,
  type Preview,
  type PreviewedPlan,
  planSchema,
} from "../records/previewed-plan.ts";
import { DAY_MS } from "../values/dates.ts";
import { messageOf } from "../values/message-of.ts";
import { stackOf } from "../values/owner.ts";
import { remember } from "../values/remember.ts";
import { jsonFormat, openRecord, type TimedStore } from "./record.ts";

/** What one process has shown. */
const shownSchema = z.object({
  runId: z.string(),
  /** When it was written last, by the store's clock. */
  writtenAt: z.string(),
  /** Its first and its last write, by their numbers. Absent in documents of release 0.1.0. */
  firstWrite: z.number().default(0),
  lastWrite: z.number().default(0),
  /** Folder of the Pulumi program. Absent on a shared journal: there folders tell nothing. */
  project: z.string().optional(),
  /** See `JournalParts`. Absent if there is none. */
  scope: z.string().optional(),
  /** For how long it binds, by the setting of its own process. Absent in documents of release 0.1.0. */
  bindsMs: z.number().optional(),
  /** When a process of the update that it is a part of was ended last, by the store's clock. Absent if none was. */
  endedAt: z.string().optional(),
  /** Whether no engine had told the process yet that it previews: it may have been an update. Absent if not. */
  isUntold: z.literal(true).optional(),
  /** One for each owner. */
  plans: z.array(planSchema),
});

const previewsSchema = z.object({
  version: z.literal(1),
  /** How often it was written. */
  writes: z.number().default(0),
  previews: z.array(shownSchema),
});

type Shown = z.infer<typeof shownSchema>;

/** What all processes have shown, in the order in which they began. */
type Previews = z.infer<typeof previewsSchema>;

const previewsFormat = jsonFormat(previewsSchema, { version: 1, writes: 0, previews: [] });

/** Who previews, or asks what previews have shown. */
export interface PreviewReader {
  runId: string;
  identity: RunIdentity;
  /** Folder of the Pulumi program; undefined on a shared journal. */
  project: string | undefined;
  /** See `JournalParts`. A preview in another scope is one of another stack. */
  scope: string;
  /** For how long a preview binds. */
  bindsMs: number;
}

/**
 * A `pulumi up` may wait for a person for longer than other previews bind: its own update is bound by it, however old it is. So
 * it is kept for so long, or until that update has ended.
 */
const WAITS_MS = 7 * DAY_MS;

/** Nobody tells that an `up` was refused. A pipeline whose `up` fails all the time leaves no more of them than this for its stack. */
const MOST_WAITING_OF_STACK = 100;

/** So many plans that nobody waits for are written at once: each write is of the whole document. */
const NOTED_TOGETHER = 25;

/** What is to be written of a preview. */
interface Noted {
  plan: PlanTrace;
  /** Whether the preview must fail where this can't be written. */
  isNeeded: boolean;
}

/** What the document of all previews is called. */
export const PREVIEWS = "previews.json";

/**
 * All previews in one document. The order of its writes says which preview is the newest: a clock may have been set
 * back meanwhile.
 */
export function openPreviewedPlans(
  store: TimedStore,
  { runId, identity, project, scope, bindsMs }: PreviewReader,
): PreviewedPlans {
  const { command, commandId } = identity;
  const record = openRecord(store, PREVIEWS, previewsFormat);
  let isApplying = false;
  let newestNote: Promise<void> = Promise.resolve();
  /** What was noted and is not being written yet. */
  let unwritten: Noted[] = [];
  /** Why the last write has failed; undefined if it has not. What was noted meanwhile is unwritten, and has not failed. */
  let failure: unknown;
  /** The newest plan of each owner. */
  const newestPlans = new Map<string, PlanTrace>();
  let hasNoted = false;
  /** What other processes had shown when this one looked, if it has. */
  let othersRead: readonly Shown[] = [];
  /** Whether its last write could not say yet that it previews. */
  let isUntold = false;

  const isInScope = (shown: Shown) => (shown.scope ?? "") === scope;

  const isHere = (shown: Shown) => project === undefined || shown.project === project;

  const showsPlans = () => !isApplying && identity.phase() !== "update";

  function add(plan: PlanTrace, isNeeded: boolean): void {
    unwritten.push({ plan, isNeeded });
    newestPlans.set(plan.owner, plan);
  }

  /** Changes are written in their order, so the newest is the last. */
  function writeNoted(): Promise<void> {
    const notes = showsPlans() ? unwritten : [];
    unwritten = [];
    const phase = identity.phase();
    const isToldSince = isUntold && phase === "preview" && showsPlans();
    if (notes.length === 0 && !isToldSince) return newestNote;
    hasNoted = true;
    isUntold = phase === "unknown";
    newestNote = record
      .update((state, now) => {
        const at = now.toISOString();
        const noted = notes.map(({ plan }) => ({ ...plan, at, command, commandId }));
        const write = (previews: Previews, plan: PreviewedPlan) => withPlan(previews, plan, now);
        return { state: withPhase(noted.reduce(write, state), phase), result: undefined };
      })
      .then(() => {
        failure = undefined;
      })
      .catch((error: unknown) => {
        failure = error;
        isUntold ||= isToldSince;
        // A preview that was written in part would show that the others buy nothing. So they go first in the next write.
        const isNewest = ({ plan }: Noted) => newestPlans.get(plan.owner) === plan;
        unwritten = [...notes.filter(isNewest), ...unwritten];
      });
    return newestNote;
  }

  const lacksNeeded = () => failure !== undefined && unwritten.some(({ isNeeded }) => isNeeded);

  async function written(): Promise<void> {
    // What fails now is written once more.
    await newestNote;
    await writeNoted();
    if (!lacksNeeded()) return;
    const reason = `what this preview shows can't be written down (${messageOf(failure)})`;
    throw new JournalError("unavailable", reason, failure);
  }

  function withPlan(
    { version, writes, previews }: Previews,
    plan: PreviewedPlan,
    now: Date,
  ): Previews {
    const write = writes + 1;
    const waiting = findWaiting(previews);
    const isKept = (shown: Shown) =>
      shown.runId === runId || isNeeded(shown, waiting.has(shown), now);
    const kept = previews.filter(isKept);
    const begun = {
      runId,
      project,
      ...(scope && { scope }),
      bindsMs,
      firstWrite: write,
      plans: [],
    };
    const own = kept.find((shown) => shown.runId === runId) ?? begun;
    const plans = [...own.plans.filter(({ owner }) => owner !== plan.owner), plan];
    const newest = { ...own, plans, writtenAt: now.toISOString(), lastWrite: write };
    const all = kept.some((shown) => shown === own)
      ? kept.map((shown) => (shown === own ? newest : shown))
      : [...kept, newest];
    return { version, writes: write, previews: all };
  }

  /** Those of others have settings of their own: each is kept for as long as it binds anybody. */
  function isNeeded(shown: Shown, isWaiting: boolean, now: Date): boolean {
    const { writtenAt, endedAt = writtenAt } = shown;
    const ageMs = (at: string) => now.getTime() - Date.parse(at);
    const longestMs = Math.max(shown.bindsMs ?? 0, bindsMs);
    return ageMs(endedAt) <= longestMs || (isWaiting && ageMs(writtenAt) <= WAITS_MS);
  }

  function withPhase(state: Previews, phase: Phase): Previews {
    const previews = state.previews.map((shown) => {
      if (shown.runId !== runId) return shown;
      const { isUntold: _, ...told } = shown;
      return phase === "unknown" ? { ...told, isUntold: true as const } : told;
    });
    return { ...state, previews };
  }

  /** What was previewed since this run has looked is of the next one. What showed nothing was not carried out. */
  function withPlanOver(state: Previews, owner: string, read: readonly Shown[]): Previews {
    const by = { project: project ?? "", runId };
    const previews = state.previews.map((shown) => {
      const known = read.find((one) => one.runId === shown.runId)?.plans ?? [];
      const isCarriedOut = (plan: PreviewedPlan) =>
        plan.owner === owner &&
        plan.effect !== "none" &&
        known.some((one) => one.owner === owner && one.at === plan.at);
      const end = (plan: PreviewedPlan) => {
        if (!isCarriedOut(plan)) return plan;
        const others = (plan.carriedOut ?? []).filter((one) => one.project !== by.project);
        return { ...plan, carriedOut: [...others, by] };
      };
      return isInScope(shown) ? { ...shown, plans: shown.plans.map(end) } : shown;
    });
    return { ...state, previews };
  }

  /** A process that applies its plans has shown nothing. */
  const leave = remember(() =>
    record.update((state) => {
      const previews = state.previews.filter((shown) => shown.runId !== runId);
      const isThere = previews.length < state.previews.length;
      return { state: isThere ? { ...state, previews } : state, result: undefined };
    }),
  );

  /** Read once: what others show while this process applies its plan was no preview of that plan. */
  const readOthers = remember(async () => {
    isApplying = true;
    try {
      // To leave, it has looked.
      await leave();
      othersRead = (await record.seen()).previews;
      return othersRead;
    } catch (error) {
      const why = messageOf(error);
      const reason = `what previews have shown can't be read (${why})`;
      throw new JournalError("unavailable", reason, error);
    }
  });

  function sourceOf(plan: PreviewedPlan): Preview["from"] {
    if (plan.command === "up") return plan.commandId === commandId ? "thisUp" : "anotherUp";
    return plan.command === "preview" ? "preview" : "unseen";
  }

  /** Gathered once for each stack: every purchase asks for them. */
  const previewsOf = remember(async (stack: string): Promise<readonly Preview[]> => {
    const commands = new Map<string, Preview>();
    for (const shown of await readOthers()) {
      if (!isInScope(shown)) continue;
      const plans = shown.plans.filter((plan) => stackOf(plan.owner) === stack);
      const [first] = plans;
      if (first === undefined) continue;
      // A command may have several provider processes.
      const command = first.commandId ? `${first.command} ${first.commandId}` : shown.runId;
      const earlier = commands.get(command);
      const newest = earlier && earlier.lastWrite > shown.lastWrite ? earlier : shown;
      const before = [...(earlier?.plans ?? [])];
      const added = plans.map((plan) => [plan.owner, plan] as const);
      commands.set(command, {
        from: sourceOf(first),
        isTold: !shown.isUntold || (earlier?.isTold ?? false),
        isHere: isHere(shown),
        firstWrite: earlier?.firstWrite ?? shown.firstWrite,
        lastWrite: newest.lastWrite,
        writtenAt: newest.writtenAt,
        // An update that was not told so yet comes after its preview, and stands over nothing that was shown.
        plans: new Map(shown.isUntold ? [...added, ...before] : [...before, ...added]),
      });
    }
    return [...commands.values()];
  });

  return {
    async note(plan) {
      if (!showsPlans()) return;
      add(plan, true);
      await writeNoted();
      if (lacksNeeded()) await written();
    },

    noteLater(plan, isNeeded = false) {
      if (!showsPlans()) return;
      add(plan, isNeeded);
      // The first one says when this preview began, among others at the same time.
      if (!hasNoted || unwritten.length >= NOTED_TOGETHER) void writeNoted();
    },

    written,

    async applies() {
      isApplying = true;
      await leave().catch(() => undefined);
    },

    async carriedOut(owner) {
      const read = othersRead;
      if (!read.some(({ plans }) => plans.some((plan) => plan.owner === owner))) return;
      await record
        .update((state) => ({ state: withPlanOver(state, owner, read), result: undefined }))
        .catch(() => undefined);
    },

    async ended() {
      if (command !== "up" || commandId === undefined || showsPlans()) return;
      const isOfCommand = ({ plans: [first] }: Shown) =>
        first?.command === "up" && first.commandId === commandId;
      await record
        .update((state, now) => {
          if (!state.previews.some(isOfCommand)) return { state, result: undefined };
          const end = (shown: Shown) =>
            isOfCommand(shown) ? { ...shown, endedAt: now.toISOString() } : shown;
          return { state: { ...state, previews: state.previews.map(end) }, result: undefined };
        })
        .catch(() => undefined);
    },

    async ofStack(owner) {
      const oldestMs = store.now().getTime() - bindsMs;
      const previews = await previewsOf(stackOf(owner));
      return previews.filter(
        ({ from, writtenAt }) => from === "thisUp" || Date.parse(writtenAt) >= oldestMs,
      );
    },
  };
}

/** The previews inside a `pulumi up` whose update may still come. */
function findWaiting(previews: readonly Shown[]): ReadonlySet<Shown> {
  const waiting = previews.filter(
    ({ plans: [first], endedAt }) => first?.command === "up" && endedAt === undefined,
  );
  const byStack = Map.groupBy(waiting, ({ plans: [first], scope = "" }) =>
    [stackOf(first?.owner ?? ""), scope].join(" "),
  );
  return new Set([...byStack.values()].flatMap((one) => one.slice(-MOST_WAITING_OF_STACK)));
}
