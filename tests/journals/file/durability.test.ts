import { basename } from "node:path";
import { expect, test, vi } from "vitest";
import { changeIntent } from "../../../provider/core/records/intent.ts";
import { createFileStore } from "../../../provider/journals/file/file-store.ts";
import { orderIntent } from "../../core/records/intents.ts";
import { makeFolder } from "./folders.ts";

/** What was done to the disk, in turn. Only a power cut would show that a flush is missing. */
const steps = vi.hoisted((): string[] => []);

vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs/promises")>();
  const nameOf = (path: unknown) =>
    basename(String(path)).replace(/\.[0-9a-f-]{36}\.tmp$/, ".draft");
  return {
    ...real,
    async open(...args: Parameters<typeof real.open>) {
      const handle = await real.open(...args);
      const sync = handle.sync.bind(handle);
      handle.sync = () => {
        steps.push(`flush ${nameOf(args[0])}`);
        return sync();
      };
      return handle;
    },
    link(...args: Parameters<typeof real.link>) {
      steps.push(`name ${nameOf(args[1])}`);
      return real.link(...args);
    },
    rm(...args: Parameters<typeof real.rm>) {
      if (!nameOf(args[0]).endsWith(".draft")) steps.push(`remove ${nameOf(args[0])}`);
      return real.rm(...args);
    },
  };
});

const sending = orderIntent({ id: "x-1" });

test("an intent is flushed before it gets its name, and its name before anything is sent", async () => {
  await createFileStore(makeFolder()).create(sending);
  expect(steps.splice(0)).toEqual(["flush x-1.draft", "name x-1.1.json", "flush open"]);
});

test("the revision before is there until the next one is on the disk", async () => {
  const store = createFileStore(makeFolder());
  await store.create(sending);
  steps.splice(0);
  await store.replace(changeIntent(sending, { phase: "placed" }, new Date(0)));
  expect(steps.splice(0)).toEqual([
    "flush x-1.draft",
    "name x-1.2.json",
    "flush open",
    "remove x-1.1.json",
  ]);
});
