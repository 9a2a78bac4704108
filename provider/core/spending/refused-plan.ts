import { type NotePlace, notePlan } from "./previewed-price.ts";
import type { RunStory } from "./run-story.ts";

/**
 * Call this where a diff refuses a change: the check has shown and noted it, because it did not know the state. A preview
 * that refuses a plan has shown none.
 */
export async function noteRefusedPlan(
  place: NotePlace & { story: Pick<RunStory, "plan"> },
  owner: string,
): Promise<void> {
  await place.story.plan(owner, { lines: [], isRefused: true });
  await notePlan(place, owner, { failures: [], checked: { quote: { effect: "none" } } });
  // The refusal is told in any case.
  await place.journal.previewed.written().catch(() => undefined);
}
