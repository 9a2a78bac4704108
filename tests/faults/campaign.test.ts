import { availableParallelism } from "node:os";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { playAll } from "./campaign/workers.ts";

/** Each takes more than a second of a processor. `npm run faults` plays as many as you like. */
const SCHEDULES = 6;

test.each(["local", "folder"])(
  "no random schedule pays twice, loses an order or breaks another promise: %s",
  {
    timeout: 900_000,
  },
  async (journal) => {
    const folder = await makeTemporaryFolder();
    const stories: string[] = [];
    await playAll({
      ...{ seed: 1, schedules: SCHEDULES, families: "mixed", isShrunk: true },
      workers: availableParallelism(),
      shared: journal === "local" ? undefined : { url: pathToFileURL(folder).href, machines: 3 },
      onPlayed(seed, { story }) {
        if (story !== undefined)
          stories.push(
            `npm run faults -- --journal ${journal} --schedules 1 --seed ${seed}`,
            story,
          );
        return story === undefined;
      },
    });
    expect(stories.join("\n")).toBe("");
  },
);
