import { expect, test } from "vitest";
import { settlingLeft } from "../../../provider/core/evidence/watch.ts";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { openJournal } from "../../../provider/core/journal/journal.ts";
import { openJournalParts } from "../../../provider/core/journal/journal-parts.ts";
import { presenceByTime } from "../../../provider/core/journal/presence-by-time.ts";
import { lonely, nothingElsewhere, unknownRun } from "../../../provider/core/ports.ts";
import { silentLog } from "../../support/silent-log.ts";
import { orderDraft } from "../records/intents.ts";
import { createManualClock } from "../support/account-under-test.ts";
import { makeDocumentBench } from "../support/journal-documents.ts";

const draft = orderDraft();

const HOUR_MS = 60 * 60_000;

/** Machines that share a journal, each with its own clock. */
function makeMachines() {
  const { raw, clock } = makeDocumentBench();
  const machine = (aheadMs: number) => {
    const own = createManualClock();
    own.advance(aheadMs);
    const parts = openJournalParts({
      ...{ documents: openDocuments(raw, own), clock: own, presence: presenceByTime },
      ...{
        memory: () => lonely,
        readElsewhere: async () => nothingElsewhere,
        identity: unknownRun,
      },
      ...{
        holder: { pid: 1, host: "runner" },
        project: "",
        apiKey: undefined,
        isProbed: false,
        isShared: true,
      },
    });
    return openJournal(parts, silentLog, 90_000);
  };
  return { clock, machine };
}

test("every time in a shared journal is by the clock of its store", async () => {
  const { clock, machine } = makeMachines();
  const early = machine(5 * HOUR_MS);
  const sent = await early.withAccount(() => early.begin(draft));
  expect(sent.history[0]?.at).toBe(clock.now().toISOString());
  const placed = await early.change(sent, { phase: "placed" });
  expect(placed.history[1]?.at).toBe(clock.now().toISOString());
});

test("a machine with a slow clock waits no longer for a purchase than one with the right clock", async () => {
  const { clock, machine } = makeMachines();
  const early = machine(5 * HOUR_MS);
  await early.withAccount(() => early.begin(draft));
  clock.advance(2 * 60_000);
  const late = machine(-5 * HOUR_MS);
  const open = await late.readOpen();
  const serviceTime = new Date(Date.parse(draft.answerBy) + 1);
  expect(settlingLeft(open, serviceTime, late.now())).toBe(0);
});
