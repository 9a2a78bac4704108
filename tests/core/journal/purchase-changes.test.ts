import { beforeEach, describe, expect, test } from "vitest";
import { openChanges } from "../../../provider/core/journal/purchase-changes.ts";
import { JournalError } from "../../../provider/core/ports.ts";
import { changeIntent, type Intent } from "../../../provider/core/records/intent.ts";
import { silentLog } from "../../support/silent-log.ts";
import { afterSending, orderIntent } from "../records/intents.ts";

/** What the store has. It takes each next revision, unless it is away. */
let kept: Intent;

let isAway = false;

beforeEach(() => {
  kept = orderIntent();
  isAway = false;
});

function open(now = afterSending(5)) {
  const store = {
    async replace(next: Intent) {
      if (isAway) throw new JournalError("unavailable", "the store is away");
      if (next.revision !== kept.revision + 1) throw new JournalError("conflict", "changed");
      kept = next;
    },
    readAll: async () => [kept],
  };
  return openChanges(store, { now: () => now, log: silentLog });
}

/** Notes an answer that does not reach the store. */
async function miss(changes: ReturnType<typeof open>) {
  isAway = true;
  await changes.note(orderIntent(), { phase: "placed", orderNumber: "8000", orderIds: ["9000"] });
  isAway = false;
}

test("what another process has written of the same phase is not written over", async () => {
  const changes = open();
  await miss(changes);
  const theirs = { phase: "placed", orderNumber: "9000" } as const;
  kept = changeIntent(kept, theirs, afterSending(60));
  await changes.note(orderIntent(), { phase: "returned" });
  await changes.written();
  expect(kept).toMatchObject({ ...theirs, revision: 2 });
});

test("a confirmation writes what was missed, and is not taken back by it", async () => {
  const changes = open();
  await miss(changes);
  changes.confirm(orderIntent(), { orderNumber: "8000" });
  await changes.written();
  expect(kept).toMatchObject({ phase: "confirmed", orderNumber: "8000", orderIds: ["9000"] });
  expect(kept.revision).toBe(2);
});

test("a confirmation does not open what was to be closed, and could not be yet", async () => {
  const changes = open();
  isAway = true;
  await changes.note(orderIntent(), { phase: "closed", closedBecause: "released" });
  isAway = false;
  changes.confirm(orderIntent());
  await changes.written();
  expect(kept).toMatchObject({ phase: "closed", closedBecause: "released" });
});

describe("what may be written over what others have written first", () => {
  const answer = { phase: "placed", orderNumber: "8000" } as const;
  const isUnknown = ({ phase }: Intent) => phase === "unknown";

  test("is written over it, and drops what no longer holds", async () => {
    kept = changeIntent(kept, { phase: "unknown", remark: "theirs" }, afterSending(60));
    kept = changeIntent(kept, { phase: "closed", closedBecause: "notPlaced" }, afterSending(90));
    const noted = await open().noteOver(
      orderIntent(),
      () => answer,
      () => true,
    );
    expect(kept).toMatchObject({ ...answer, revision: 4, remark: "theirs" });
    expect(kept.closedBecause).toBeUndefined();
    expect(noted).toEqual(kept);
  });

  test("follows from what was written last", async () => {
    kept = changeIntent(kept, { phase: "unknown", candidates: ["1"] }, afterSending(60));
    const changesOn = (now: Intent) => ({ candidates: [...(now.candidates ?? []), "2"] });
    await open().noteOver(orderIntent(), changesOn, isUnknown);
    expect(kept.candidates).toEqual(["1", "2"]);
  });

  test("is not written where it may not be, nor later", async () => {
    kept = changeIntent(kept, { phase: "returned" }, afterSending(60));
    const changes = open();
    const noted = await changes.noteOver(orderIntent(), () => answer, isUnknown);
    await changes.written();
    expect(kept).toMatchObject({ phase: "returned", revision: 2 });
    expect(noted).toMatchObject(answer);
  });

  const notPlaced = { phase: "closed", closedBecause: "notPlaced" } as const;

  test("as a conclusion yields to an answer, and fails if the store is away", async () => {
    kept = changeIntent(kept, answer, afterSending(60));
    await open().conclude(orderIntent(), notPlaced);
    expect(kept).toMatchObject({ phase: "placed", revision: 2 });
    isAway = true;
    await expect(open().conclude(kept, notPlaced)).rejects.toThrow("away");
  });

  test("as a conclusion fails where others have seen something meanwhile: that stays", async () => {
    kept = changeIntent(kept, { hasTraces: true }, afterSending(60));
    await expect(open().conclude(orderIntent(), notPlaced)).rejects.toThrow("changed");
    expect(kept).toMatchObject({ phase: "sending", hasTraces: true, revision: 2 });
  });

  test("is not written over later where the store was away: who has a purchase follows from what others have written", async () => {
    const changes = open();
    isAway = true;
    await changes.noteOver(
      orderIntent(),
      () => ({ owner: "mine" }),
      () => true,
    );
    isAway = false;
    kept = changeIntent(kept, { owner: "theirs" }, afterSending(60));
    await changes.written();
    expect(kept).toMatchObject({ owner: "theirs", revision: 2 });
  });

  test("as an answer is written over later, too, where the store was away, whatever else is to be written before", async () => {
    const changes = open();
    isAway = true;
    await changes.noteAnswer(orderIntent(), answer);
    isAway = false;
    kept = changeIntent(kept, notPlaced, afterSending(60));
    await changes.note(orderIntent(), { charged: 8 });
    await changes.note(orderIntent(), { phase: "returned" });
    expect(kept).toMatchObject(notPlaced);
    await changes.written();
    expect(kept).toMatchObject({ ...answer, charged: 8, phase: "returned" });
  });

  test("is written later if the store is away", async () => {
    const changes = open();
    isAway = true;
    await changes.noteOver(orderIntent(), () => answer, isUnknown);
    isAway = false;
    await changes.written();
    expect(kept).toMatchObject(answer);
  });
});
