import { availableParallelism } from "node:os";
import { Command, InvalidArgumentError } from "commander";
import { families as allFamilies, type Families, type Family } from "./families.ts";
import type { ScheduleResult } from "./schedule.ts";
import { playAll } from "./workers.ts";

/** After how many schedules progress is printed. */
const TELL_EVERY = 100;

interface Options {
  schedules: number;
  seed: number;
  families: Families;
  shrink: boolean;
  workers: number;
}

const { schedules, seed, families, shrink, workers } = new Command("faults")
  .description("Plays random programs, edits, faults, kills and reruns against the provider")
  .option("--schedules <number>", "how many", parseWhole, 300)
  .option("--seed <number>", "of the first; each next one has the next", parseWhole, 1)
  .option(
    "--families <names>",
    `what is played beyond that, separated by commas, or none: ${allFamilies.join(",")}`,
    parseFamilies,
    new Set(allFamilies),
  )
  .option("--workers <number>", "how many processes play", parseCount, availableParallelism())
  .option("--no-shrink", "tell what failed as it was played, which is faster")
  .parse()
  .opts<Options>();

const beganMs = performance.now();
let [played, duplicates, unreported, broken] = [0, 0, 0, 0];
await playAll({ seed, schedules, families, isShrunk: shrink, workers, onPlayed: count });
if (broken > 0) console.log(`${broken} other promises broken`);
console.log(
  `${schedules} schedules, ${duplicates} duplicate charges, ${unreported} unreported orders`,
);
process.exit(duplicates + unreported + broken === 0 ? 0 : 1);

function count(own: number, result: ScheduleResult): true {
  played += 1;
  duplicates += result.duplicates.length;
  unreported += result.unreported.length;
  broken += result.broken.length;
  if (result.story !== undefined) {
    const names = families.size === 0 ? "none" : [...families].join();
    console.log(
      `\nfailed; replay it with --schedules 1 --seed ${own} --families ${names}\n${result.story}`,
    );
  }
  if (played % TELL_EVERY === 0) {
    const seconds = Math.round((performance.now() - beganMs) / 1000);
    console.log(`${played} of ${schedules} schedules, ${seconds} s`);
  }
  return true;
}

function parseWhole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("A whole number is expected.");
  return Number(text);
}

function parseCount(text: string): number {
  const count = parseWhole(text);
  if (count === 0) throw new InvalidArgumentError("At least one is needed.");
  return count;
}

function parseFamilies(text: string): Families {
  const names = text === "none" ? [] : text.split(",");
  const unknown = names.filter((name) => !allFamilies.some((family) => family === name));
  if (unknown.length > 0) throw new InvalidArgumentError(`Unknown: ${unknown.join(", ")}.`);
  return new Set(names as Family[]);
}
