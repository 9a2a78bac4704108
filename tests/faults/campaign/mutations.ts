import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import type { Family } from "./families.ts";
import { withFolder } from "./folder.ts";
import { type Mutation, mutate, mutations } from "./mutation-list.ts";
import type { ScheduleResult } from "./schedule.ts";
import { playAll } from "./workers.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** What random play needs in the copy. It finds everything else through `node_modules`. */
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
  for (const change of mutation.changes) {
    const path = join(folder, "provider", change.file);
    await writeFile(path, mutate(await readFile(path, "utf8"), change));
  }
  const script = join(folder, "tests/faults/campaign/worker.ts");
  const families = new Set(mutation.families);
  for (let next = seed; next < seed + schedules; ) {
    const caught = await playUntilWrong(families, next, seed + schedules - next, script);
    // If the same schedule fails without the mutation too, it proves nothing about the mutation.
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
