import { stayInMemory } from "../../support/stay-in-memory.ts";
import { useFilesAtOnce } from "./files-at-once.ts";
import { withFolder } from "./folder.ts";
import { playSchedule } from "./schedule.ts";
import type { Task } from "./workers.ts";

/** Plays the schedules that the parent process asks for, until the parent is gone. */
await stayInMemory();
useFilesAtOnce();
await withFolder(async (folder) => {
  const ended = new Promise<void>((resolve) => process.once("disconnect", resolve));
  process.on("message", async ({ seed, families, ...options }: Task) => {
    const chosen = families === "mixed" ? families : new Set(families);
    const result = await playSchedule(seed, folder, { families: chosen, ...options });
    process.send?.(result);
  });
  await ended;
});
process.exit();
