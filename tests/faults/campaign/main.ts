import { availableParallelism } from "node:os";
import { Command, InvalidArgumentError, Option } from "commander";
import { files } from "../../journals/stores/products/files.ts";
import { fakeGcs, gofakes3 } from "../../journals/stores/products/go-server.ts";
import { azurite } from "../../journals/stores/products/npm-server.ts";
import { postgres } from "../../journals/stores/products/postgres.ts";
import type { RunningProduct } from "../../journals/stores/products/product.ts";
import { stayInMemory } from "../../support/stay-in-memory.ts";
import { families as allFamilies, type ChosenFamilies, type Family } from "./families.ts";
import type { ScheduleResult } from "./schedule.ts";
import { playAll } from "./workers.ts";

/** After how many schedules progress is printed. */
const TELL_EVERY = 100;

interface Options {
  schedules: number;
  seed: number;
  families: ChosenFamilies;
  shrink: boolean;
  workers: number;
  journal: JournalKind;
  machines?: number;
}

/** Where the journal of the schedules may be: `local`, or a store that machines share. */
const journalKinds = ["local", "folder", "postgres", "s3", "gs", "azblob"] as const;

type JournalKind = (typeof journalKinds)[number];

const products = { folder: files, s3: gofakes3, gs: fakeGcs, azblob: azurite };

/** How many machines there may be. */
const MOST_MACHINES = 5;

const program = new Command("faults")
  .description("Plays random programs, edits, faults, kills and reruns against the provider")
  .option("--schedules <number>", "how many", parseWhole, 300)
  .option("--seed <number>", "of the first; each next one has the next", parseWhole, 1)
  .option(
    "--families <names>",
    `what is played beyond that, separated by commas, or none; else all, or what the seed chooses: ${allFamilies.join(",")}`,
    parseFamilies,
    "mixed",
  )
  .option("--workers <number>", "how many processes play", parseCount, availableParallelism())
  .addOption(
    new Option("--journal <kind>", "where the journal is: files of one machine, or a shared store")
      .choices(journalKinds)
      .default("local"),
  )
  .option(
    "--machines <number>",
    "how many share the journal, up to 5; 1 if it is local",
    parseMachines,
  )
  .option("--no-shrink", "tell what failed as it was played, which is faster")
  .parse();
const { schedules, seed, families, shrink, workers, journal, ...given } = program.opts<Options>();
const machines = given.machines ?? (journal === "local" ? 1 : 3);
if (journal === "local" && machines > 1) {
  program.error(
    "Only one machine has a local journal: name the store that they share by --journal.",
  );
}

await stayInMemory();
const beganMs = performance.now();
let [played, duplicates, unreported, broken] = [0, 0, 0, 0];
const product = journal === "local" ? undefined : await beginProduct(journal);
const shared = product && { url: product.url, machines };
await playAll({ seed, schedules, families, isShrunk: shrink, workers, shared, onPlayed: count });
await product?.end();
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
    const names = families === "mixed" ? "" : ` --families ${[...families].join() || "none"}`;
    const place = journal === "local" ? "" : ` --journal ${journal} --machines ${machines}`;
    const flags = `--schedules 1 --seed ${own}${names}${place}`;
    console.log(`\nfailed; replay it with ${flags}\n${result.story}`);
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

function parseMachines(text: string): number {
  const count = parseCount(text);
  if (count <= MOST_MACHINES) return count;
  throw new InvalidArgumentError(`At most ${MOST_MACHINES}.`);
}

/** Starts the real product that keeps the journals. Its credentials are in the environment of all players. */
async function beginProduct(
  kind: Exclude<JournalKind, "local">,
): Promise<{ url: string; end(): Promise<void> }> {
  const product = await (kind === "postgres" ? beginSilentPostgres() : products[kind].begin());
  const { url, environment } = product.enter("campaign");
  Object.assign(process.env, environment);
  return { url, end: product.end };
}

/** The tests of stores read each statement in its log. Here the log would grow by gigabytes. */
async function beginSilentPostgres(): Promise<RunningProduct> {
  const database = await postgres.begin();
  await database.ask("ALTER SYSTEM SET log_statement = 'none'");
  await database.ask("SELECT pg_reload_conf()");
  return database;
}

function parseFamilies(text: string): ChosenFamilies {
  const names = text === "none" ? [] : text.split(",");
  const unknown = names.filter((name) => !allFamilies.some((family) => family === name));
  if (unknown.length > 0) throw new InvalidArgumentError(`Unknown: ${unknown.join(", ")}.`);
  return new Set(names as Family[]);
}
