import type { Family } from "./families.ts";

/** A change in one file. */
export interface Change {
  /** The path of the file in `provider`. */
  file: string;
  /** This text must occur exactly once in the file. */
  search: string;
  replacement: string;
}

/** A mutation breaks a rule that the two promises need. Random play must notice it. */
export interface Mutation {
  rule: string;
  /** What the provider does wrong after the change. */
  name: string;
  /** More than one if each of several places enforces the rule by itself. */
  changes: readonly Change[];
  /** The families that are played until the mutation is caught. */
  families: readonly Family[];
  /** Whether machines share the journal while it is played. @default files of one machine */
  isShared?: true;
}

export const mutations: readonly Mutation[] = [
  {
    rule: "R1: one sighting proves nothing",
    name: "the first listing is believed",
    changes: [
      {
        file: "core/account/listing.ts",
        search: "if (once.costly === undefined) return once.value;",
        replacement: "return once.value;",
      },
    ],
    families: ["dates", "listings"],
  },
  {
    rule: "R1: one sighting proves nothing",
    name: "what is not listed has ended, whatever end is recorded",
    changes: [
      {
        file: "core/order/read/classify-proxies.ts",
        search:
          'return hasEnded(withPaidEnd(state, proxy), asOf) && !isOpen ? "over" : "unlisted";',
        replacement: 'return "over";',
      },
    ],
    families: ["listings"],
  },
  {
    rule: "R2: nothing is bought that the newest preview did not show",
    name: "no preview binds",
    changes: [
      {
        file: "core/spending/held-against-previews.ts",
        search: "if (binding.length === 0) return;",
        replacement: "if (binding.length >= 0) return;",
      },
    ],
    families: ["phases", "prices"],
  },
  {
    rule: "R2: nothing is bought that the newest preview did not show",
    name: "a preview that shows no purchase leaves no trace",
    changes: [
      {
        file: "core/spending/previewed-price.ts",
        search: "if (failures.length > 0 || quote === undefined) return;",
        replacement:
          'if (failures.length > 0 || quote === undefined || quote.effect === "none") return;',
      },
    ],
    families: ["phases"],
  },
  {
    rule: "R3: what is paid is asked where the money leaves",
    name: "nothing is asked before a purchase is sent",
    changes: [
      {
        file: "core/order/recover/paid-before.ts",
        search: "const found = await findPaidBefore(account, wanted, seen);",
        replacement: "const found = undefined;",
      },
    ],
    families: ["overlaps", "renames"],
  },
  {
    rule: "R3: what is paid is asked where the money leaves",
    name: "what was paid under another name is in nobody's way",
    changes: [
      {
        file: "core/order/recover/left-purchase.ts",
        search: 'return isPlaced(intent) ? "orphaned" : "mayBeOrphaned";',
        replacement: "return undefined;",
      },
    ],
    families: ["renames"],
  },
  {
    rule: "R4: what was charged is what counts",
    name: "the charge is not weighed against the balance",
    changes: [
      {
        file: "core/spending/charge.ts",
        search: 'if (isSameMoney(charged, price)) return { kind: "asConfirmed" };',
        replacement: 'return { kind: "asConfirmed" };',
      },
    ],
    families: ["prices"],
  },
  {
    rule: "R4: what was charged is what counts",
    name: "a doubt about a charge stops nothing",
    changes: [
      {
        file: "core/spending/buy.ts",
        search: "if (doubt !== undefined) await spendLimit.stop(explainDoubt(doubt, OF_THIS_RUN));",
        replacement: "",
      },
    ],
    families: ["prices"],
  },
  {
    rule: "R4: what was charged is what counts",
    name: "the uses of a promo code are not counted, and a price that was confirmed before another purchase is used",
    changes: [
      {
        file: "core/spending/buy.ts",
        search: "purchase.promoCode === undefined && !contended && age() < CONFIRMED_FOR_MS;",
        replacement: "!contended && age() < CONFIRMED_FOR_MS;",
      },
      {
        file: "core/spending/promo-uses.ts",
        search: "const failure = judgeLeft(left, countAll(promoCode));",
        replacement: "const failure = undefined;",
      },
    ],
    families: ["promos"],
  },
  {
    rule: "R5: sums and identities outlive a process",
    name: "the processes of a run tell each other nothing",
    changes: [
      {
        file: "journals/file/file-journal.ts",
        search: "if (run === undefined) return lonely;",
        replacement: "if (open !== undefined) return lonely;",
      },
    ],
    families: ["providers", "prices"],
  },
  {
    rule: "R5: sums and identities outlive a process",
    name: "every purchase is judged by the account of this run",
    changes: [
      {
        file: "core/order/recover/left-purchase.ts",
        search: "const isOurAccount = isSameAccount(intent, { account: own });",
        replacement: "const isOurAccount = true;",
      },
    ],
    families: ["accounts"],
  },
  {
    rule: "R6: one purchase of an account at a time, from whatever machine",
    name: "the turn is taken from whoever has it",
    changes: [
      {
        file: "core/journal/account-turn.ts",
        search: "if (isLeftOver || (await presence.isGone(holder, store.now()))) {",
        replacement: "if (holder !== undefined) {",
      },
    ],
    families: ["neighbours"],
    isShared: true,
  },
  {
    rule: "R6: one purchase of an account at a time, from whatever machine",
    name: "the turn is over before answer and late effects are",
    changes: [
      {
        file: "core/journal/presence-by-time.ts",
        search: "isGone: async ({ until }, now) => now.getTime() > Date.parse(until),",
        replacement:
          "isGone: async ({ until }, now) => now.getTime() > Date.parse(until) - 80_000,",
      },
      // Whoever takes such a turn would look at the account until the answer can't come any more.
      {
        file: "core/spending/abandoned.ts",
        search: "if (sent.length === 0) return [];",
        replacement: "if (sent.length >= 0) return [];",
      },
    ],
    families: ["neighbours", "pauses"],
    isShared: true,
  },
  {
    rule: "R6: one purchase of an account at a time, from whatever machine",
    name: "a purchase is sent before it is written that it is being sent",
    changes: [
      {
        file: "core/journal/purchases.ts",
        search: "return { state: beginSending(state, intent, now), result: true };",
        replacement: "return { state, result: beginSending(state, intent, now) !== undefined };",
      },
    ],
    families: ["neighbours"],
    isShared: true,
  },
  {
    rule: "R6: one purchase of an account at a time, from whatever machine",
    name: "whoever has lost the turn writes all the same that it is sending",
    changes: [
      {
        file: "core/journal/turn-rules.ts",
        search: "if (turn?.runId !== intent.runId) throw lostTurn();",
        replacement: "if (turn === undefined) throw lostTurn();",
      },
      {
        file: "core/journal/turn-rules.ts",
        search: 'turn: { ...turn, phase: "sending", intent: intent.id, until },',
        replacement: 'turn: { runId: intent.runId, phase: "sending", intent: intent.id, until },',
      },
    ],
    families: ["neighbours", "pauses"],
    isShared: true,
  },
  {
    rule: "R6: one purchase of an account at a time, from whatever machine",
    name: "a write without an answer is taken for one that was carried out",
    changes: [
      {
        file: "core/journal/documents.ts",
        search: "const { value: found, at } = await look(name, call);",
        replacement:
          "const { value: found, at } = await look(name, call);\n      if (sent === undefined) return { value: { ...envelope, productVersion: found?.productVersion }, at };",
      },
    ],
    families: ["neighbours", "stores"],
    isShared: true,
  },
  {
    rule: "R6: one purchase of an account at a time, from whatever machine",
    name: "a write that is refused by its own success is taken for lost",
    changes: [
      {
        file: "core/journal/documents.ts",
        search: "const age = found?.nonces.indexOf(nonce) ?? -1;",
        replacement: "const age = -1;",
      },
      {
        file: "core/journal/documents.ts",
        search: "if (call.isInDoubt() && !isOfAnother(found, base)) {",
        replacement: "if (call.isInDoubt() && false) {",
      },
    ],
    families: ["neighbours", "stores"],
    isShared: true,
  },
  {
    rule: "R6: one purchase of an account at a time, from whatever machine",
    name: "a runner's clock stands for the store's",
    changes: [
      {
        file: "core/journal/record.ts",
        search: "return new Date(heard.at.getTime() + clock.elapsedMs() - heard.heardMs);",
        replacement: "return clock.now();",
      },
    ],
    families: ["neighbours"],
    isShared: true,
  },
  {
    rule: "R6: one purchase of an account at a time, from whatever machine",
    name: "the time of a call begins anew when it leaves",
    changes: [
      {
        file: "core/spending/turn.ts",
        search: "if (leftMs >= timeoutMs * LEAST_LEFT) return leftMs;",
        replacement: "if (leftMs >= 0) return timeoutMs;",
      },
    ],
    families: ["neighbours", "pauses"],
    isShared: true,
  },
  {
    rule: "R6: one purchase of an account at a time, from whatever machine",
    name: "what could not be watched to the end is written down as unknown, which ends its turn",
    changes: [
      {
        file: "core/spending/lost-answer.ts",
        search: 'case "unwatched":',
        replacement:
          'case "unwatched":\n      await journal.note(intent, { phase: "unknown", remark: outcome.error.message });',
      },
    ],
    families: ["neighbours", "stores"],
    isShared: true,
  },
  {
    rule: "R6: one purchase of an account at a time, from whatever machine",
    name: "the deadline is not asked right before the first byte",
    changes: [
      {
        file: "core/spending/buy.ts",
        search: "const told = await purchase.send({ beforeSend }).finally(() => {",
        replacement: "const told = await purchase.send({}).finally(() => {",
      },
    ],
    families: ["neighbours", "pauses"],
    isShared: true,
  },
  {
    rule: "R7: an order goes on with the state that it was given to last",
    name: "a former owner that is deleted lets the order go",
    changes: [
      {
        file: "core/order/apply/let-go.ts",
        search: "let claims = await findClaims(account, intents, state, taken);",
        replacement: "let claims: Claims = new Map();",
      },
    ],
    families: ["handOvers", "autoExtensions", "neighbours"],
  },
  {
    rule: "R7: an order goes on with the state that it was given to last",
    name: "what a former owner had is closed, and no state opens it again",
    changes: [
      {
        file: "core/records/hand-over.ts",
        search: 'if (heir === undefined) return { phase: "closed", closedBecause: "released" };',
        replacement:
          'if (heir !== "itself") return { phase: "closed", closedBecause: "released" };',
      },
      {
        file: "core/records/hand-over.ts",
        search:
          'return { phase: "confirmed", owner: by.owner, holders: [...others.map(toUnseen), now] };',
        replacement: "return {};",
      },
    ],
    families: ["handOvers", "deletions", "putBacks"],
  },
  {
    rule: "R8: what extends itself is money that is spent later",
    name: "a listing is believed that shows as off what was switched on",
    changes: [
      {
        file: "core/auto-extension/switch-off.ts",
        search: "const believedOn = await findBelievedOn(account, own, newest, rowOf);",
        replacement:
          "const believedOn = (await findBelievedOn(account, own, newest, rowOf)).filter((one) => !one.isListed);",
      },
    ],
    families: ["autoExtensions", "flags"],
  },
  {
    rule: "R8: what extends itself is money that is spent later",
    name: "a resource that was replaced switches off what goes on",
    changes: [
      {
        file: "core/account/declared-flags.ts",
        search: "others(wishes, proxy, isDelete ? undefined : owner)",
        replacement: "others(wishes, proxy, owner)",
      },
    ],
    families: ["autoExtensions", "taints"],
  },
  {
    rule: "R8: what extends itself is money that is spent later",
    name: "two owners that are deleted at once leave an order to each other",
    changes: [
      {
        file: "core/order/apply/let-go.ts",
        search: "if (gone.length === 0) return;",
        replacement: "if (gone.length >= 0) return;",
      },
    ],
    families: ["autoExtensions", "handOvers", "neighbours"],
  },
  {
    rule: "R8: what extends itself is money that is spent later",
    name: "no preview binds what is switched on",
    changes: [
      {
        file: "core/auto-extension/apply.ts",
        search: ".then(() => assertRenewalPreviewed(account, checked, switchedBy))",
        replacement: "",
      },
      {
        file: "core/auto-extension/apply.ts",
        search: 'import { assertRenewalPreviewed } from "./previewed.ts";\n',
        replacement: "",
      },
    ],
    families: ["autoExtensions", "phases"],
  },
];

/** Makes the change in a text. The text must contain `search` exactly once; otherwise this list is out of date. */
export function mutate(text: string, { file, search, replacement }: Change): string {
  const parts = text.split(search);
  if (parts.length === 2) return parts.join(replacement);
  throw new Error(
    `provider/${file} has ${parts.length - 1} times what is to be changed: ${search}`,
  );
}
