import type { Family } from "./families.ts";

/** One small change that breaks a rule on which the two promises stand. Random play must notice it. */
export interface Mutation {
  rule: string;
  /** What is so with the change. */
  name: string;
  /** In `provider`. */
  file: string;
  /** Stands there exactly once. */
  search: string;
  replacement: string;
  /** What is played until it is caught. */
  families: readonly Family[];
}

export const mutations: readonly Mutation[] = [
  {
    rule: "R1: one sighting proves nothing",
    name: "the first listing is believed",
    file: "core/account/listing.ts",
    search: "if (once.costly === undefined) return once.value;",
    replacement: "return once.value;",
    families: ["listings", "dates", "extensions", "autoExtensions"],
  },
  {
    rule: "R2: nothing is bought that the newest preview did not show",
    name: "no preview binds",
    file: "core/spending/previewed-price.ts",
    search: "for (const plan of await previewed.bindingOn(wanted.owner)) {",
    replacement: "for (const plan of []) {",
    families: ["phases", "prices"],
  },
  {
    rule: "R2: nothing is bought that the newest preview did not show",
    name: "a preview that shows no purchase leaves no trace",
    file: "core/spending/previewed-price.ts",
    search: "if (quote === undefined) return undefined;",
    replacement: 'if (quote === undefined || quote.effect === "none") return undefined;',
    families: ["phases"],
  },
  {
    rule: "R3: what is paid is asked where the money leaves",
    name: "nothing is asked before a purchase is sent",
    file: "core/order/recover/paid-before.ts",
    search: "const found = await findPaidBefore(account, wanted, known);",
    replacement: "const found = undefined;",
    families: ["overlaps", "renames"],
  },
  {
    rule: "R3: what is paid is asked where the money leaves",
    name: "what was paid under another name is in nobody's way",
    file: "core/order/recover/paid-before.ts",
    search: 'return isAlive ? "underWay" : "orphaned";',
    replacement: 'return isAlive ? "underWay" : undefined;',
    families: ["renames"],
  },
  {
    rule: "R4: what was charged is what counts",
    name: "the charge is not weighed against the balance",
    file: "core/spending/charge.ts",
    search: 'if (isSameMoney(charged, price)) return { kind: "asConfirmed" };',
    replacement: 'return { kind: "asConfirmed" };',
    families: ["prices"],
  },
  {
    rule: "R4: what was charged is what counts",
    name: "a doubt about a charge stops nothing",
    file: "core/spending/buy.ts",
    search: "if (doubt !== undefined) await spendLimit.stop(explainDoubt(doubt));",
    replacement: "",
    families: ["prices"],
  },
  {
    rule: "R4: what was charged is what counts",
    name: "with a promo code, a price that was confirmed before another purchase is used",
    file: "core/spending/buy.ts",
    search: "!(purchase.promoCode !== undefined && spendLimit.purchases() > purchasesBefore);",
    replacement: "true;",
    families: ["promos"],
  },
  {
    rule: "R5: sums and identities outlive a process",
    name: "the processes of a run tell each other nothing",
    file: "journals/file/open-journal.ts",
    search:
      "memory: openRunMemory(identity, (name) => createRunMemory(folder, name, runId, clock)),",
    replacement: "memory: lonely,",
    families: ["providers", "prices"],
  },
  {
    rule: "R5: sums and identities outlive a process",
    name: "every purchase is judged by the account of this run",
    file: "core/order/recover/paid-before.ts",
    search: "const isOurAccount = isSameAccount(intent, { account: own });",
    replacement: "const isOurAccount = true;",
    families: ["accounts"],
  },
];

/** Makes the change in a text. What it looks for must be there, and once: otherwise this list has fallen behind. */
export function mutate(text: string, { file, name, search, replacement }: Mutation): string {
  const parts = text.split(search);
  if (parts.length === 2) return parts.join(replacement);
  throw new Error(
    `provider/${file} has ${parts.length - 1} times what "${name}" changes: ${search}`,
  );
}
