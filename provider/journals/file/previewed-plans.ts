import { appendFile, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { RunIdentity } from "../../core/account/run-identity.ts";
import type { Clock } from "../../core/ports.ts";
import { effectSchema } from "../../core/spending/quote.ts";
import { readLines } from "./lines.ts";

const planSchema = z.object({
  owner: z.string(),
  /** Absent where nothing is known of what would be bought. */
  requestId: z.string().optional(),
  effect: effectSchema,
  quantity: z.number().optional(),
  price: z.number().optional(),
  priceAtMost: z.number().optional(),
  currency: z.string().optional(),
  at: z.string(),
  /** See `RunIdentity`. */
  command: z.string().optional(),
  commandId: z.string().optional(),
});

/** What a process writes that applies its plans: what it says then is no preview. */
const appliesSchema = z.object({ applies: z.literal(true) });

/** What a preview said that `up` would do for one resource, `none` included. */
export type PreviewedPlan = z.infer<typeof planSchema>;

/** What a check says of its plan; who and when is added. */
export type PlanTrace = Omit<PreviewedPlan, "at" | "command" | "commandId">;

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

/** How long what a preview has shown binds. */
const BINDING_MS = 2 * 60 * 60 * 1000;

/** One file a process, one line a plan: no process writes into another's file, so nothing is locked. */
export function createPreviewedPlans(
  folder: string,
  runId: string,
  clock: Clock,
  identity: RunIdentity,
): PreviewedPlans {
  const dir = join(folder, "previews");
  const ownFile = `${runId}.jsonl`;
  const { command, commandId } = identity;
  let others: Promise<PreviewedPlan[][]> | undefined;
  let written: Promise<unknown> = Promise.resolve();
  let applied: Promise<void> | undefined;
  const oldest = () => clock.now().getTime() - BINDING_MS;

  /** Read once: what others show while this process applies its plan was not the preview of that plan. */
  async function readOthers(): Promise<PreviewedPlan[][]> {
    const previews: { writtenAtMs: number; plans: PreviewedPlan[] }[] = [];
    for (const name of await readdir(dir)) {
      if (name === ownFile) continue;
      const path = join(dir, name);
      const { mtimeMs: writtenAtMs } = await stat(path);
      if (writtenAtMs < oldest()) await rm(path, { force: true });
      else previews.push({ writtenAtMs, plans: readPreview(await readFile(path, "utf8")) });
    }
    // The disk knows which came last, also where the clock that the plans are dated by was set back.
    return previews.toSorted((a, b) => a.writtenAtMs - b.writtenAtMs).map(({ plans }) => plans);
  }

  const isOfAnotherUp = (plan: PreviewedPlan) =>
    plan.command === "up" && plan.commandId !== commandId;

  async function write(line: object): Promise<void> {
    written = written.then(() => append(`${JSON.stringify(line)}\n`)).catch(() => undefined);
    await written;
  }

  async function append(line: string): Promise<void> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await appendFile(join(dir, ownFile), line, { mode: 0o600 });
  }

  function applies(): Promise<void> {
    applied ??= write({ applies: true });
    return applied;
  }

  /** The plans of an owner, the newest first, and the preview that each was a part of. */
  async function findPlans(owner: string) {
    others ??= applies()
      .then(readOthers)
      .catch(() => []);
    const found = (await others).flatMap((preview) =>
      preview
        .filter((plan) => plan.owner === owner && Date.parse(plan.at) >= oldest())
        .map((plan) => ({ plan, preview })),
    );
    return found.toReversed();
  }

  return {
    async note(plan) {
      if (applied !== undefined || identity.phase() === "update") return;
      await write({ ...plan, at: clock.now().toISOString(), command, commandId });
    },

    applies,

    async bindingOn(owner) {
      const plans = (await findPlans(owner)).map(({ plan }) => plan);
      const [newest] = plans;
      if (newest === undefined) return [];
      const shown = plans.find((plan) => !isOfAnotherUp(plan));
      return shown === undefined || shown === newest ? [newest] : [newest, shown];
    },

    async besides(owner) {
      const [{ preview } = { preview: [] }] = await findPlans(owner);
      return new Set(preview.map((plan) => plan.owner));
    },
  };
}

/** The plans of a process that applied nothing. */
function readPreview(text: string): PreviewedPlan[] {
  return readLines(text, appliesSchema).length > 0 ? [] : readLines(text, planSchema);
}
