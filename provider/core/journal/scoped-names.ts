import type { JournalStore } from "../ports.ts";
import { type Holder, type Intent, isOfScope } from "../records/intent.ts";
import { nameInScope, withoutScope } from "../values/owner.ts";

/**
 * The purchases of a journal by the names that a run of one scope gives them: its own by their plain names, and those of
 * other scopes by names that no resource of the run has. So whatever compares names tells stacks of two backends apart.
 * A purchase without a scope may be anybody's, and a run without a scope may be of any stack: between those, plain names
 * count.
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
  const isForeign = (intent: Intent) =>
    scope !== "" && !isOfScope(intent, "") && !isOfScope(intent, scope);
  // There may be thousands, and each plan asks for them.
  if (!intents.some((intent) => isForeign(intent) || intent.holders)) return intents;
  return intents.map((intent) => {
    const { owner, requestId, holders, scopes = [] } = intent;
    const own = isForeign(intent) ? (name: string) => nameInScope(name, scopes.join()) : same;
    const nameHolder = ({ owner: name, scope: its }: Holder) =>
      scope === "" || its === undefined || its === scope ? own(name) : nameInScope(name, its);
    return {
      ...intent,
      owner: own(owner),
      requestId: own(requestId),
      ...(holders && { holders: renameEach(holders, nameHolder) }),
    };
  });
}

const same = (name: string) => name;

function renameEach(holders: readonly Holder[], named: (holder: Holder) => string): Holder[] {
  return holders.map((holder) => ({ ...holder, owner: named(holder) }));
}

/** The scopes of a purchase that a state of this scope has. */
export function scopesWith(
  { scopes }: Pick<Intent, "scopes">,
  scope: string,
): string[] | undefined {
  return scope === "" ? scopes : [...new Set([...(scopes ?? []), scope])];
}

/** A purchase as the journal keeps it. */
function asKept(intent: Intent): Intent {
  const { owner, requestId, holders } = intent;
  const plain = ({ owner: name }: Holder) => withoutScope(name);
  return {
    ...intent,
    owner: withoutScope(owner),
    requestId: withoutScope(requestId),
    ...(holders && { holders: renameEach(holders, plain) }),
  };
}
