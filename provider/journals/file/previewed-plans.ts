import { appendFile, mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import {
  type Clock,
  JournalError,
  type PreviewedPlans,
  type RunIdentity,
} from "../../core/ports.ts";
import { type PreviewedPlan, planSchema } from "../../core/records/previewed-plan.ts";
import { codeOf, messageOf, namesIn, readIfThere } from "./disk.ts";
import { parseLines } from "./lines.ts";

/** A process that applies its plans writes this. What it noted is no preview then. */
const appliesSchema = z.object({ applies: z.literal(true) });

/** How long a preview binds. */
const BINDING_MS = 2 * 60 * 60 * 1000;

/** One file a process, one line a plan. No process writes into the file of another, so nothing is locked. */
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

  /**
   * Read once: what others show while this process applies its plan was no preview of that plan. Throws if one can't
   * be read, because it may forbid the purchase.
   */
  async function readOthers(): Promise<PreviewedPlan[][]> {
    const previews: { writtenAtMs: number; plans: PreviewedPlan[] }[] = [];
    for (const name of await namesIn(dir)) {
      if (name === ownFile || !name.endsWith(".jsonl")) continue;
      const path = join(dir, name);
      const writtenAtMs = await findWritten(path);
      if (writtenAtMs === undefined) continue;
      if (writtenAtMs < oldest()) await rm(path, { force: true }).catch(() => undefined);
      else previews.push({ writtenAtMs, plans: parsePreview((await readIfThere(path)) ?? "") });
    }
    // The disk knows which came last, even if the clock of the plans was set back. Between files of one tick, the
    // dates of the plans decide.
    return previews
      .toSorted((a, b) => a.writtenAtMs - b.writtenAtMs || showedAt(a.plans) - showedAt(b.plans))
      .map(({ plans }) => plans);
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
      .catch((error: unknown) => {
        const reason = `what previews have shown in ${dir} can't be read (${messageOf(error)})`;
        throw new JournalError("unavailable", reason, error);
      });
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
      return new Map(preview.map((plan) => [plan.owner, plan]));
    },
  };
}

/** When a file was written last; undefined if it is gone, because other processes sweep too. */
async function findWritten(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.mtimeMs : undefined;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The plans of a process that applied nothing. */
function parsePreview(text: string): PreviewedPlan[] {
  return parseLines(text, appliesSchema).length > 0 ? [] : parseLines(text, planSchema);
}

/** When a preview showed the last of its plans. */
function showedAt(plans: readonly PreviewedPlan[]): number {
  return Math.max(0, ...plans.map(({ at }) => Date.parse(at)));
}
