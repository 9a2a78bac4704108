import type { JournalStore } from "../ports.ts";
import type { Holder, Intent } from "../records/intent.ts";
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
  const isForeign = (intent: Intent) => {
    const scopes = scopesNow(intent);
    return scope !== "" && scopes.length > 0 && !scopes.includes(scope);
  };
  const isNamed = (intent: Intent) => isForeign(intent) || intent.holders !== undefined;
  // There may be thousands, and each plan asks for them.
  if (!intents.some(isNamed)) return intents;
  return intents.map((intent) => {
    if (!isNamed(intent)) return intent;
    const foreign = isForeign(intent) ? scopesNow(intent).join() : undefined;
    const nameAs = (name: string, its = foreign) =>
      its === undefined ? name : nameInScope(name, its);
    return rename(intent, nameAs, ({ owner, scope: its }) =>
      scope === "" || its === scope ? owner : nameAs(owner, its),
    );
  });
}

/** Whose it is now: the scope of who was given it last, or else each scope of which a state was seen to have it. */
function scopesNow({ holders, scopes = [] }: Intent): readonly string[] {
  const newest = holders?.at(-1)?.scope;
  return newest === undefined ? scopes : [newest];
}

function rename(
  intent: Intent,
  nameAs: (name: string) => string,
  nameHolder: (holder: Holder) => string,
): Intent {
  const { owner, requestId, holders } = intent;
  return {
    ...intent,
    owner: nameAs(owner),
    requestId: nameAs(requestId),
    ...(holders && {
      holders: holders.map((holder) => ({ ...holder, owner: nameHolder(holder) })),
    }),
  };
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
  return rename(intent, withoutScope, ({ owner }) => withoutScope(owner));
}
