import { describe, expect, test } from "vitest";
import type { DocumentStore } from "../../provider/core/journal/document-store.ts";
import { JournalError, type RunIdentity } from "../../provider/core/ports.ts";
import { failureOf, given, ownerOf } from "../core/support/orders-under-test.ts";
import { startForTest } from "../simulator/start.ts";
import { beginAccountRun } from "../support/account.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";

const preview: RunIdentity = {
  run: "127.0.0.1:1",
  command: "up",
  commandId: "cli-1",
  phase: () => "preview",
};

/** A role that may read the journal, and may not write what previews show. */
const documents = (real: DocumentStore): DocumentStore => {
  const refuse = async () => {
    throw new JournalError("unavailable", "access denied: this role may only read");
  };
  const isRefused = (name: string) => name.includes("previews");
  return {
    ...real,
    create: (name, text) => (isRefused(name) ? refuse() : real.create(name, text)),
    replace: (name, version, text) =>
      isRefused(name) ? refuse() : real.replace(name, version, text),
  };
};

async function beginUnwritten(waitsForNotes: boolean) {
  const clock = createVirtualClock();
  const simulator = await startForTest({ now: clock.now });
  const journalDir = await makeTemporaryFolder();
  return beginAccountRun({
    ...{ simulator, journalDir, clock, waitsForNotes },
    ...{ run: preview, interpose: { documents } },
  });
}

describe("171: a preview that can't be written down", () => {
  test("shows no purchase: the check fails", async () => {
    const { orders } = await beginUnwritten(false);
    const { code, message } = await failureOf(orders.check(ownerOf("fleet"), undefined, given()));
    expect(code).toBe("JOURNAL_UNAVAILABLE");
    expect(message).toContain("access denied: this role may only read");
    expect(message).toContain("So `pulumi up` would not be held to this preview.");
  });

  test("shows no purchase where the host waits for the plan: that wait fails", async () => {
    const { orders, account } = await beginUnwritten(true);
    await orders.check(ownerOf("fleet"), undefined, given());
    const { code } = await failureOf(account.journal.previewed.written());
    expect(code).toBe("JOURNAL_UNAVAILABLE");
    // The end of the process has nothing to add.
    await account.journal.endRun();
  });
});
