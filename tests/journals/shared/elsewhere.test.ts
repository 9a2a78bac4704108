import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { journalFolder } from "../../../provider/journals/file/folders.ts";
import { openSharedJournal } from "../../../provider/journals/open-journal.ts";
import { createMemoryStore } from "../../core/support/memory-store.ts";
import { startForTest } from "../../simulator/start.ts";
import { beginAccountRun, type OpenJournal } from "../../support/account.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { planOrder } from "./shared-run.ts";

const onSharedJournal: OpenJournal = (place, clock) => {
  const documents = openDocuments(createMemoryStore(clock.now), clock);
  return openSharedJournal({ documents, isProbed: false }, place, clock);
};

/** Which folder stands beside the journal, and can't be read. */
const cases: [string, OpenJournal | undefined, (own: string) => string][] = [
  ["the folder of this machine, beside a shared journal", onSharedJournal, (own) => own],
  [
    "the folder of another name for the service, beside a folder",
    undefined,
    () => journalFolder("", "http://alias.test").slice(1),
  ],
];

test.each(cases)(
  "a journal elsewhere that can't be read stops no purchase, and is named once: %s",
  async (_, openJournal, nameOf) => {
    const simulator = await startForTest();
    const journalDir = await makeTemporaryFolder();
    const own = journalFolder(journalDir, simulator.baseUrl).slice(journalDir.length + 1);
    const beside = join(journalDir, nameOf(own));
    await mkdir(beside, { recursive: true });
    await writeFile(join(beside, "account.json@"), "not written by a journal");
    const run = beginAccountRun({
      ...{ simulator, journalDir, clock: createVirtualClock() },
      ...(openJournal && { openJournal }),
    });
    for (const name of ["a", "b"]) await run.orders.create(await planOrder(run, name));
    expect(simulator.orders()).toHaveLength(2);
    const told = run.lines.filter((line) => line.includes(beside));
    expect(told).toEqual([expect.stringContaining("what was bought with it is not looked at")]);
  },
);
