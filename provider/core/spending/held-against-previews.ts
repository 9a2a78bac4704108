import type { Journal } from "../journal/journal.ts";
import type { RunIdentity } from "../ports.ts";
import { countedOf, type Intent, isOfScope, isOrderIntent, isPlaced } from "../records/intent.ts";
import type { Preview, PreviewedPlan } from "../records/previewed-plan.ts";
import { isSpending } from "../values/effect.ts";
import { addMoney, subtractMoney } from "../values/money.ts";
import { findBinding } from "./binding-previews.ts";

/** Who is about to do something, and where it is written what previews have shown. */
export interface BoundRun {
  journal: Pick<
    Journal,
    "previewed" | "readAll" | "isOfThisRun" | "isInState" | "scope" | "project" | "isShared"
  >;
  run: Pick<RunIdentity, "appliesPlanFile">;
}

/** What costs money, now or later. */
interface Held {
  owner: string;
  /** Its request. Absent for what is no purchase. */
  requestId?: string;
  /** See `PreviewedPlan`. */
  terms?: string | undefined;
  /** Throws if the plan does not show it. One of effect `none` shows nothing. */
  assertShown(plan: PreviewedPlan): void;
  /** Whether a plan still binds it after it was carried out. */
  isAgain(plan: PreviewedPlan): boolean;
  /** The run that has carried out what the state has, where no purchase tells that. */
  carriedOutBy?: string | undefined;
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
  for (const preview of binding) {
    const plan = preview.plans.get(held.owner);
    if (plan === undefined) {
      await assertContained(preview, held, all, journal);
      continue;
    }
    const paid = await findPaid(plan, all, preview, journal);
    const isOver = isEnded(plan, held.carriedOutBy, preview, journal) || isBought(plan, paid);
    if (!isOver) held.assertShown(restOf(plan, paid, held));
    else if (held.isAgain(plan)) held.assertShown(plan);
  }
}

/** Throws for what a preview did not contain, unless that preview was carried out since. */
async function assertContained(
  preview: Preview,
  { owner, assertShown }: Held,
  known: readonly Intent[],
  journal: BoundRun["journal"],
): Promise<void> {
  const plans = [...preview.plans.values()];
  const [first] = plans;
  if (first === undefined) return;
  for (const plan of plans) {
    if (isBought(plan, await findPaid(plan, known, preview, journal))) return;
  }
  assertShown({ owner, effect: "none", at: first.at });
}

/**
 * Whether a plan was carried out since, where no purchase tells that. Then the preview says nothing of what comes next.
 * @param carriedOutBy see `Held`
 */
function isEnded(
  { isOver, carriedOut = [] }: PreviewedPlan,
  carriedOutBy: string | undefined,
  preview: Preview,
  journal: BoundRun["journal"],
): boolean {
  const isFrom = isFromHere(preview, journal);
  return isOver === true || carriedOut.some((by) => by.runId === carriedOutBy || isFrom(by));
}

/**
 * Whether something may have carried out what a preview has shown, by the folder that it was done from. What this checkout was
 * shown, another one does not carry out, unless it is of the same stack: then this run's state has what it did.
 */
function isFromHere({ isHere }: Preview, { project, isShared }: BoundRun["journal"]) {
  return (by: Pick<Intent, "project">) => !isHere || isShared || by.project === project;
}

/** Whether all that a preview has shown is paid. */
function isBought({ rounds }: PreviewedPlan, paid: readonly Intent[]): boolean {
  return paid.length >= (rounds?.length ?? 1);
}

/**
 * What a half paid plan has left. Its sum binds, not its request: the rest is asked for by a request of its own, which says the
 * same. Whatever else is wanted, it has not shown.
 */
function restOf(plan: PreviewedPlan, paid: readonly Intent[], held: Held): PreviewedPlan {
  if (paid.length === 0) return plan;
  const requestId = plan.terms === held.terms ? held.requestId : plan.requestId;
  const { price, rounds } = plan;
  return {
    ...plan,
    requestId,
    rounds: rounds?.slice(paid.length),
    price: price && subtractMoney(price, addMoney(...paid.map(countedOf))),
  };
}

/**
 * What earlier runs have paid of a plan. An order of another request, as an `up` has bought by a preview of its own, carries it
 * out no more than before. An extension is paid in rounds, by requests of their own.
 */
async function findPaid(
  plan: PreviewedPlan,
  known: readonly Intent[],
  preview: Preview,
  journal: BoundRun["journal"],
): Promise<readonly Intent[]> {
  if (!isSpending(plan)) return [];
  const isFrom = isFromHere(preview, journal);
  const since = known.filter(
    (intent) =>
      intent.owner === plan.owner &&
      isOfScope(intent, journal.scope) &&
      (isFrom(intent) || journal.isInState(intent)) &&
      isPlaced(intent) &&
      (!isOrderIntent(intent) || intent.requestId === plan.requestId) &&
      isSince(intent, plan),
  );
  const isOurs = await Promise.all(since.map(journal.isOfThisRun));
  return since.filter((_, index) => !isOurs[index]);
}

/**
 * Whether a purchase was sent after a plan was shown: by its time, and after the preview began. A clock may have been ahead, and
 * a preview may have begun long before it showed this plan.
 */
function isSince({ sequence = Number.POSITIVE_INFINITY, history }: Intent, plan: PreviewedPlan) {
  return (history[0]?.at ?? "") >= plan.at && sequence >= (plan.sequence ?? 0);
}
