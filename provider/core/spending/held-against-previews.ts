import type { Journal } from "../journal/journal.ts";
import type { RunIdentity } from "../ports.ts";
import { type Intent, isOfScope, isPlaced } from "../records/intent.ts";
import type { PreviewedPlan } from "../records/previewed-plan.ts";
import { isSpending } from "../values/effect.ts";
import { findBinding } from "./binding-previews.ts";

/** Who is about to do something, and where it is written what previews have shown. */
export interface BoundRun {
  journal: Pick<Journal, "previewed" | "readAll" | "isOfThisRun" | "scope">;
  run: Pick<RunIdentity, "appliesPlanFile">;
}

/** What costs money, now or later. */
interface Held {
  owner: string;
  /** Throws if the plan does not show it. One of effect `none` shows nothing. */
  assertShown(plan: PreviewedPlan): void;
  /** Whether a plan still binds it after it was carried out. */
  isAgain(plan: PreviewedPlan): boolean;
}

/**
 * Holds something against the newest preview, and throws what `assertShown` throws. If no preview of the stack binds, there is
 * nothing to compare with. Where the run applies a plan file, that is its preview, and the engine holds the run to it: other
 * previews, for instance those of other branches, say nothing of it.
 * @param known the journal, if it was read already
 */
export async function holdAgainstPreviews(
  { journal, run }: BoundRun,
  held: Held,
  known?: readonly Intent[],
): Promise<void> {
  const shown = await journal.previewed.ofStack(held.owner);
  const previews = run.appliesPlanFile ? shown.filter(({ from }) => from === "thisUp") : shown;
  const binding = findBinding(previews, held.owner);
  if (binding.length === 0) return;
  const all = known ?? (await journal.readAll());
  for (const { plans } of binding) {
    const plan = plans.get(held.owner);
    if (plan === undefined) await assertContained([...plans.values()], held, all, journal);
    else if (held.isAgain(plan) || !(await isOver(plan, all, journal))) held.assertShown(plan);
  }
}

/** Throws for what a preview did not contain, unless that preview was carried out since. */
async function assertContained(
  plans: readonly PreviewedPlan[],
  { owner, assertShown }: Held,
  known: readonly Intent[],
  journal: BoundRun["journal"],
): Promise<void> {
  const [first] = plans;
  if (first === undefined) return;
  for (const plan of plans) if (await isBought(plan, known, journal)) return;
  assertShown({ owner, effect: "none", at: first.at });
}

/** Whether a plan was carried out since. Then the preview says nothing of what comes next. */
async function isOver(
  plan: PreviewedPlan,
  known: readonly Intent[],
  journal: BoundRun["journal"],
): Promise<boolean> {
  return plan.isOver === true || (await isBought(plan, known, journal));
}

/** Whether an earlier run has bought what a preview has shown. */
async function isBought(
  plan: PreviewedPlan,
  known: readonly Intent[],
  { isOfThisRun, scope }: BoundRun["journal"],
): Promise<boolean> {
  if (!isSpending(plan)) return false;
  const since = known.filter(
    (intent) =>
      intent.owner === plan.owner &&
      isOfScope(intent, scope) &&
      isPlaced(intent) &&
      isSince(intent, plan),
  );
  for (const intent of since) if (!(await isOfThisRun(intent))) return true;
  return false;
}

/** Whether a purchase was sent after a preview. By their times only where a sequence is missing: a clock may have been wrong. */
function isSince({ sequence, history }: Intent, plan: PreviewedPlan): boolean {
  if (sequence !== undefined && plan.sequence !== undefined) return sequence >= plan.sequence;
  return (history[0]?.at ?? "") >= plan.at;
}
