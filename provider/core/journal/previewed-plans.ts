import { z } from "zod";
import { JournalError, type PreviewedPlans, type RunIdentity } from "../ports.ts";
import { type PreviewedPlan, planSchema } from "../records/previewed-plan.ts";
import { messageOf } from "../values/message-of.ts";
import { stackOf } from "../values/owner.ts";
import { remember } from "../values/remember.ts";
import { jsonFormat, openRecord, type TimedStore } from "./record.ts";

/** What one process has shown. */
const previewSchema = z.object({
  runId: z.string(),
  /** When it was written last, by the store's clock. */
  writtenAt: z.string(),
  /** One for each owner. */
  plans: z.array(planSchema),
});

const previewsSchema = z.object({ version: z.literal(1), previews: z.array(previewSchema) });

/** All previews that bind, the newest last. */
type Previews = z.infer<typeof previewsSchema>;

const previewsFormat = jsonFormat(previewsSchema, {
  version: 1,
  previews: [],
});

/**
 * All previews in one document. The order of its writes says which preview is the newest: a clock may have been set
 * back meanwhile.
 */
export function openPreviewedPlans(
  store: TimedStore,
  runId: string,
  identity: RunIdentity,
  bindsMs: number,
): PreviewedPlans {
  const { command, commandId } = identity;
  const record = openRecord(store, "previews.json", previewsFormat);
  let isApplying = false;

  const isOfAnotherUp = (plan: PreviewedPlan) =>
    plan.command === "up" && plan.commandId !== commandId;

  const isPreviewForUs = (plan: PreviewedPlan) =>
    plan.command === "preview" || (plan.command === "up" && plan.commandId === commandId);

  function add({ version, previews }: Previews, plan: PreviewedPlan, now: Date): Previews {
    const own = previews.find((preview) => preview.runId === runId);
    const plans = (own?.plans ?? []).filter(({ owner }) => owner !== plan.owner);
    const kept = previews.filter(
      ({ writtenAt, ...preview }) =>
        preview.runId !== runId && now.getTime() - Date.parse(writtenAt) <= bindsMs,
    );
    const newest = { runId, writtenAt: now.toISOString(), plans: [...plans, plan] };
    return { version, previews: [...kept, newest] };
  }

  /** A process that applies its plans has shown nothing. */
  const leave = remember(() =>
    record.update((state) => {
      const previews = state.previews.filter((preview) => preview.runId !== runId);
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
      return (await record.seen()).previews;
    } catch (error) {
      const why = messageOf(error);
      const reason = `what previews have shown can't be read (${why})`;
      throw new JournalError("unavailable", reason, error);
    }
  });

  /** The plans of an owner, the newest first, and the preview that each was a part of. */
  async function findPlans(owner: string) {
    const oldestMs = store.now().getTime() - bindsMs;
    const found = (await readOthers()).flatMap(({ plans }) =>
      plans
        .filter((plan) => plan.owner === owner && Date.parse(plan.at) >= oldestMs)
        .map((plan) => ({ plan, preview: plans })),
    );
    return found.toReversed();
  }

  return {
    async note(plan) {
      if (isApplying || identity.phase() === "update") return;
      await record
        .update((state, now) => {
          const noted = { ...plan, at: now.toISOString(), command, commandId };
          return { state: add(state, noted, now), result: undefined };
        })
        .catch(() => undefined);
    },

    async applies() {
      isApplying = true;
      await leave().catch(() => undefined);
    },

    async bindingOn(owner) {
      const plans = (await findPlans(owner)).map(({ plan }) => plan);
      const [newest] = plans;
      if (newest === undefined) return [];
      const shown = plans.find((plan) => !isOfAnotherUp(plan));
      return shown === undefined || shown === newest ? [newest] : [newest, shown];
    },

    async without(owner) {
      const oldestMs = store.now().getTime() - bindsMs;
      const previews = (await readOthers()).map(({ plans }) =>
        plans.filter(
          (plan) => stackOf(plan.owner) === stackOf(owner) && Date.parse(plan.at) >= oldestMs,
        ),
      );
      if (previews.flat().some((plan) => plan.owner === owner)) return [];
      return previews.findLast((plans) => plans.some(isPreviewForUs)) ?? [];
    },

    async besides(owner) {
      const [{ preview } = { preview: [] }] = await findPlans(owner);
      return new Map(preview.map((plan) => [plan.owner, plan]));
    },
  };
}
