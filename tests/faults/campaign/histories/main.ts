import { Command } from "commander";
import { playHistories, scopes } from "./play-all.ts";

const { faults, switches } = new Command("histories")
  .description("Plays every history of two machines with one purchase each, on one shared journal")
  .option("--faults <number>", "how many a history has at most", Number, 1)
  .option("--switches <number>", "how often one machine is left for the other", Number, 1)
  .parse()
  .opts<{ faults: number; switches: number }>();

for (const scope of scopes) {
  const { count, wrong } = await playHistories(scope, { faults, switches });
  console.log(`${scope}: ${count} histories`);
  if (wrong === undefined) continue;
  console.log(["the last of them:", ...wrong.told, ...wrong.what].join("\n"));
  process.exit(1);
}
