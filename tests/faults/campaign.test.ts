import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { testedFamilies } from "./campaign/families.ts";
import { playAll } from "./campaign/workers.ts";

/** These take a few seconds on each processor. `npm run faults` plays as many as you like. */
const SCHEDULES = 80;

test("no random schedule pays twice, loses an order or breaks another promise", {
  timeout: 900_000,
}, async () => {
  const stories: string[] = [];
  await playAll({
    ...{ seed: 1, schedules: SCHEDULES, families: testedFamilies, isShrunk: true },
    workers: availableParallelism(),
    onPlayed(seed, { story }) {
      if (story !== undefined)
        stories.push(`npm run faults -- --schedules 1 --seed ${seed}`, story);
      return story === undefined;
    },
  });
  expect(stories.join("\n")).toBe("");
});
