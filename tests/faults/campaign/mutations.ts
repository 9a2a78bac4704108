import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import type { Family } from "./families.ts";
import { withFolder } from "./folder.ts";
import type { ScheduleResult } from "./schedule.ts";
import { playAll } from "./workers.ts";

/** One small change that breaks a rule on which the two promises stand. Random play must notice it. */
interface Mutation {
  rule: string;
  /** What is so with the change. */
  name: string;
  /** In `provider/core`. */
  file: string;
  /** Stands there exactly once. */
  search: string;
  replacement: string;
  /** What is played until it is caught. */
  families: readonly Family[];
}

const mutations: readonly Mutation[] = [
  {
    rule: "R1: one sighting proves nothing",
    name: "the first listing is believed",
    file: "listing.ts",
    search: "if (once.costly === undefined) return once.value;",
    replacement: "return once.value;",
    families: ["listings"],
  },
  {
    rule: "R2: nothing is bought that the newest preview did not show",
    name: "no preview binds",
    file: "previewed.ts",
    search: "for (const plan of await journal.previewed.bindingOn(wanted.owner)) {",
    replacement: "for (const plan of []) {",
    families: ["phases", "prices"],
  },
  {
    rule: "R2: nothing is bought that the newest preview did not show",
    name: "a preview that shows no purchase leaves no trace",
    file: "previewed.ts",
    search: "if (quote === undefined) return undefined;",
    replacement: 'if (quote === undefined || quote.effect === "none") return undefined;',
    families: ["phases"],
  },
  {
    rule: "R3: what is paid is asked where the money leaves",
    name: "nothing is asked before a purchase is sent",
    file: "order/paid-before.ts",
    search: "const found = await findPaidBefore(account, wanted);",
    replacement: "const found = undefined;",
    families: ["overlaps", "renames"],
  },
  {
    rule: "R3: what is paid is asked where the money leaves",
    name: "what was paid under another name is in nobody's way",
    file: "order/paid-before.ts",
    search: 'return "orphaned";',
    replacement: "return undefined;",
    families: ["renames"],
  },
  {
    rule: "R4: what was charged is what counts",
    name: "the charge is not weighed against the balance",
    file: "charge.ts",
    search: 'if (isSameMoney(charged, price)) return { kind: "asConfirmed" };',
    replacement: 'return { kind: "asConfirmed" };',
    families: ["prices"],
  },
  {
    rule: "R4: what was charged is what counts",
    name: "a doubt about a charge stops nothing",
    file: "spending.ts",
    search: "if (doubt !== undefined) await stopBuying(explainDoubt(doubt));",
    replacement: "",
    families: ["prices"],
  },
  {
    rule: "R4: what was charged is what counts",
    name: "with a promo code, a price that was confirmed before another purchase is used",
    file: "spending.ts",
    search: "!(usesPromoCode && purchases > purchasesBefore);",
    replacement: "true;",
    families: ["promos"],
  },
  {
    rule: "R5: sums and identities outlive a process",
    name: "the processes of a run tell each other nothing",
    file: "journal/files.ts",
    search: "memory: run === undefined ? lonely : createRunMemory(folder, run, runId, clock),",
    replacement: "memory: lonely,",
    families: ["providers", "prices"],
  },
  {
    rule: "R5: sums and identities outlive a process",
    name: "every purchase is judged by the account of this run",
    file: "order/paid-before.ts",
    search:
      "const isOurAccount = own === undefined || intent.account === undefined || intent.account === own;",
    replacement: "const isOurAccount = true;",
    families: ["accounts"],
  },
];

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** What playing needs; the rest is found through the folder of packages. */
const PARTS = ["provider", "simulator", "tests/support", "tests/faults", "package.json"];

const { schedules, seed, only } = new Command("mutations")
  .description("Breaks one rule of the provider after the other, and plays until that is noticed")
  .option("--schedules <number>", "how many may be played until it is", Number, 500)
  .option("--seed <number>", "of the first; each next one has the next", Number, 1)
  .option("--only <text>", "only those with this text in their rule or name", "")
  .parse()
  .opts<{ schedules: number; seed: number; only: string }>();

let missed = 0;
for (const mutation of mutations.filter(({ rule, name }) => `${rule}: ${name}`.includes(only))) {
  const caught = await withFolder((folder) => playMutated(mutation, folder));
  if (caught === undefined) missed += 1;
  const how = caught
    ? `caught by seed ${caught.seed} (--families ${mutation.families}): ${caught.what}`
    : `NOT CAUGHT by ${schedules} schedules`;
  console.log(`${mutation.rule}\n  ${mutation.name}: ${how}`);
}
console.log(missed === 0 ? "every mutation was caught" : `${missed} mutations were not caught`);
process.exit(missed === 0 ? 0 : 1);

async function playMutated(
  mutation: Mutation,
  folder: string,
): Promise<{ seed: number; what: string } | undefined> {
  await copyParts(folder);
  await mutate(mutation, folder);
  const script = join(folder, "tests/faults/campaign/worker.ts");
  const families = new Set(mutation.families);
  for (let next = seed; next < seed + schedules; ) {
    const caught = await playUntilWrong(families, next, seed + schedules - next, script);
    // What goes wrong without the change too proves nothing of it.
    if (caught === undefined || !(await playUntilWrong(families, caught.seed, 1))) return caught;
    next = caught.seed + 1;
  }
  return undefined;
}

async function playUntilWrong(
  families: ReadonlySet<Family>,
  first: number,
  count: number,
  script?: string,
): Promise<{ seed: number; what: string } | undefined> {
  let wrong: { seed: number; what: string } | undefined;
  await playAll({
    ...{ seed: first, schedules: count, isShrunk: false, families },
    workers: availableParallelism(),
    ...(script !== undefined && { script }),
    onPlayed(played, result) {
      const [what] = wrongsOf(result);
      if (what !== undefined) wrong ??= { seed: played, what };
      return wrong === undefined;
    },
  });
  return wrong;
}

function wrongsOf({ duplicates, unreported, broken }: ScheduleResult): string[] {
  return [...duplicates, ...unreported, ...broken];
}

async function copyParts(folder: string): Promise<void> {
  await mkdir(join(folder, "tests"));
  for (const part of PARTS) await cp(join(root, part), join(folder, part), { recursive: true });
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
}

/** What a change looks for must be there, and once: otherwise this script has fallen behind. */
async function mutate(
  { file, search, replacement, name }: Mutation,
  folder: string,
): Promise<void> {
  const path = join(folder, "provider/core", file);
  const parts = (await readFile(path, "utf8")).split(search);
  if (parts.length !== 2) {
    throw new Error(
      `provider/core/${file} has ${parts.length - 1} times what "${name}" changes: ${search}`,
    );
  }
  await writeFile(path, parts.join(replacement));
}
