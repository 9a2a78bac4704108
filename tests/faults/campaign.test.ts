import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { playSchedule } from "./campaign/schedule.ts";

/** So many that the day's own seeds are not needed to find what a careless change breaks. */
const SCHEDULES = 300;

const PARTS = 3;

test.each(Array.from({ length: PARTS }, (_, part) => part))(
  "no random schedule of edits, faults, kills and reruns pays twice or loses an order (part %i)",
  { timeout: 900_000 },
  async (part) => {
    const folder = await mkdtemp(join(tmpdir(), "proxyrental-campaign-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (let seed = part + 1; seed <= SCHEDULES; seed += PARTS) {
      const { story } = await playSchedule(seed, folder);
      expect(story, `npm run faults -- --schedules 1 --seed ${seed}`).toBeUndefined();
    }
  },
);
