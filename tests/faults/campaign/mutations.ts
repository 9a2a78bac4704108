import { spawnSync } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Command } from "commander";
import { stayInMemory } from "../../support/stay-in-memory.ts";
import { withFolder } from "./folder.ts";
import { type Mutation, mutate, mutations } from "./mutation-list.ts";
import type { ScheduleResult } from "./schedule.ts";
import { type PlayOptions, playAll } from "./workers.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** What random play needs in the copy. It finds everything else through `node_modules`. */
const PARTS = [
  ...["provider", "simulator", "tests/core/support", "tests/support", "tests/faults"],
  "package.json",
];

const { schedules, seed, only } = new Command("mutations")
  .description("Breaks one rule of the provider after the other, and plays until that is noticed")
  .option("--schedules <number>", "how many may be played until it is", Number, 1_000)
  .option("--seed <number>", "of the first; each next one has the next", Number, 1)
  .option("--only <text>", "only those with this text in their rule or name", "")
  .parse()
  .opts<{ schedules: number; seed: number; only: string }>();

await stayInMemory();
let missed = 0;
for (const mutation of mutations.filter(({ rule, name }) => `${rule}: ${name}`.includes(only))) {
  const { atRandom, whole } = await withFolder((folder) => playMutated(mutation, folder));
  if (atRandom === undefined && whole === undefined) missed += 1;
  const how = atRandom
    ? `caught by seed ${atRandom.seed} (--families ${mutation.families}): ${atRandom.what}`
    : `NOT CAUGHT by ${schedules} schedules`;
  console.log(`${mutation.rule}\n  ${mutation.name}: ${how}`);
  if (mutation.isShared) {
    console.log(`    of all histories of two machines: ${whole ?? "NOT CAUGHT"}`);
  }
}
console.log(missed === 0 ? "every mutation was caught" : `${missed} mutations were not caught`);
process.exit(missed === 0 ? 0 : 1);

interface Caught {
  seed: number;
  what: string;
}

async function playMutated(
  mutation: Mutation,
  folder: string,
): Promise<{ atRandom: Caught | undefined; whole: string | undefined }> {
  await copyParts(folder);
  for (const change of mutation.changes) {
    const path = join(folder, "provider", change.file);
    await writeFile(path, mutate(await readFile(path, "utf8"), change));
  }
  const whole = mutation.isShared && playHistories(folder);
  return { whole, atRandom: await playAtRandom(mutation, folder) };
}

/** Plays all histories of two machines. Without a mutation none of them goes wrong, which is a test of its own. */
function playHistories(folder: string): string | undefined {
  const script = join(folder, "tests/faults/campaign/histories/main.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  if (status === 0) return undefined;
  const lines = stdout.trim().split("\n");
  const counts = lines.filter((line) => line.endsWith(" histories"));
  if (counts.length === 0) throw new Error(stderr);
  return `caught (${counts.join(", ")}): ${lines.at(-1)}`;
}

async function playAtRandom(mutation: Mutation, folder: string): Promise<Caught | undefined> {
  const script = join(folder, "tests/faults/campaign/worker.ts");
  const play = {
    families: new Set(mutation.families),
    shared: mutation.isShared && { url: pathToFileURL(join(folder, "journal")).href, machines: 3 },
  };
  for (let next = seed; next < seed + schedules; ) {
    const caught = await playUntilWrong(play, next, seed + schedules - next, script);
    // If the same schedule fails without the mutation too, it proves nothing about the mutation.
    if (caught === undefined || !(await playUntilWrong(play, caught.seed, 1))) return caught;
    next = caught.seed + 1;
  }
  return undefined;
}

async function playUntilWrong(
  play: Pick<PlayOptions, "families" | "shared">,
  first: number,
  count: number,
  script?: string,
): Promise<Caught | undefined> {
  let wrong: Caught | undefined;
  await playAll({
    ...{ seed: first, schedules: count, isShrunk: false, ...play },
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
  await mkdir(join(folder, "tests/core"), { recursive: true });
  for (const part of PARTS) await cp(join(root, part), join(folder, part), { recursive: true });
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
}
