import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { families as allFamilies, type Families, type Family } from "./families.ts";
import { playSchedule } from "./schedule.ts";

/** How often progress is told. */
const TELL_EVERY = 100;

interface Options {
  schedules: number;
  seed: number;
  families: Families;
  shrink: boolean;
}

const { schedules, seed, families, shrink } = new Command("faults")
  .description("Plays random programs, edits, faults, kills and reruns against the provider")
  .option("--schedules <number>", "how many", parseWhole, 300)
  .option("--seed <number>", "of the first; each next one has the next", parseWhole, 1)
  .option(
    "--families <names>",
    `what is played beyond that, separated by commas, or none: ${allFamilies.join(",")}`,
    parseFamilies,
    new Set(allFamilies),
  )
  .option("--no-shrink", "tell what failed as it was played, which is faster")
  .parse()
  .opts<Options>();

const folder = await mkdtemp(join(tmpdir(), "proxyrental-faults-"));
const beganMs = performance.now();
let [duplicates, unreported, broken] = [0, 0, 0];
try {
  for (let played = 0; played < schedules; played++) {
    const result = await playSchedule(seed + played, folder, { families, isShrunk: shrink });
    duplicates += result.duplicates.length;
    unreported += result.unreported.length;
    broken += result.broken.length;
    if (result.story !== undefined) {
      console.log(
        `\nfailed; replay it with --schedules 1 --seed ${seed + played} --families ${[...families].join()}\n${result.story}`,
      );
    }
    if ((played + 1) % TELL_EVERY === 0) tellProgress(played + 1);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
if (broken > 0) console.log(`${broken} other promises broken`);
console.log(
  `${schedules} schedules, ${duplicates} duplicate charges, ${unreported} unreported orders`,
);
process.exit(duplicates + unreported + broken === 0 ? 0 : 1);

function tellProgress(played: number): void {
  const seconds = Math.round((performance.now() - beganMs) / 1000);
  console.log(`${played} of ${schedules} schedules, ${seconds} s`);
}

function parseWhole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("A whole number is expected.");
  return Number(text);
}

function parseFamilies(text: string): Families {
  const names = text === "none" ? [] : text.split(",");
  const unknown = names.filter((name) => !allFamilies.some((family) => family === name));
  if (unknown.length > 0) throw new InvalidArgumentError(`Unknown: ${unknown.join(", ")}.`);
  return new Set(names as Family[]);
}
