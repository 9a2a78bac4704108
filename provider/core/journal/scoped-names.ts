import type { JournalStore } from "../ports.ts";
import type { Intent } from "../records/intent.ts";
import { nameInScope, withoutScope } from "../values/owner.ts";

/**
 * The purchases of a journal by the names that a run of one scope gives them: its own by their plain names, and those of
 * another scope by names that no resource of the run has. So whatever compares names tells stacks of two backends apart.
 * A purchase without a scope may be anybody's, so each run sees it by its plain name.
 */
export function withinScope(store: JournalStore, scope: string): JournalStore {
  return {
    ...store,
    readAll: async () => seenFrom(scope, await store.readAll()),
    readInTurn: async () => seenFrom(scope, await store.readInTurn()),
    create: (intent) => store.create(asKept(intent)),
    replace: (next, urgency) => store.replace(asKept(next), urgency),
    remove: (intent) => store.remove(asKept(intent)),
  };
}

/** Purchases as a run of a scope sees them. */
export function seenFrom(scope: string, intents: Intent[]): Intent[] {
  const isForeign = (intent: Intent) => ![undefined, scope].includes(intent.scope);
  // There may be thousands, and each plan asks for them.
  if (!intents.some(isForeign)) return intents;
  return intents.map((intent) => {
    const { owner, requestId } = intent;
    if (intent.scope === undefined || !isForeign(intent)) return intent;
    const named = (name: string) => nameInScope(name, intent.scope ?? "");
    return { ...intent, owner: named(owner), requestId: named(requestId) };
  });
}

/** A purchase as the journal keeps it. */
function asKept(intent: Intent): Intent {
  const { owner, requestId } = intent;
  return { ...intent, owner: withoutScope(owner), requestId: withoutScope(requestId) };
}
