import { describe, expect, test } from "vitest";
import { openAccount } from "../../../provider/core/journal/account-document.ts";
import { fingerprintKey } from "../../../provider/core/journal/account-fingerprint.ts";
import { openAccountTurn } from "../../../provider/core/journal/account-turn.ts";
import { importPurchases } from "../../../provider/core/journal/import-purchases.ts";
import { presenceByTime } from "../../../provider/core/journal/presence-by-time.ts";
import { openPurchases } from "../../../provider/core/journal/purchases.ts";
import { changeIntent, type Intent } from "../../../provider/core/records/intent.ts";
import { troubleOf } from "../../journals/file/folders.ts";
import { orderIntent } from "../records/intents.ts";
import { makeDocumentBench } from "../support/journal-documents.ts";

const times = { holdMs: 60_000, waitMs: 0 };

/** A journal in which something was bought: one purchase is on the page `000000` of its book, and one is under way. */
async function makeJournal() {
  const { raw, clock, open } = makeDocumentBench();
  const enter = (runId: string) => {
    const timed = open();
    const account = openAccount(timed);
    const presence = presenceByTime(timed, account);
    const locks = openAccountTurn({ store: timed, account, presence, clock, runId });
    const purchases = openPurchases(timed, account);
    const buy = (intent: Intent) =>
      locks.withAccount(times, () => purchases.create({ ...intent, runId }));
    const fingerprint = () => fingerprintKey(timed, "key", purchases);
    return { ...purchases, documents: timed.documents, buy, fingerprint };
  };
  const first = enter("run-1");
  const account = await first.fingerprint();
  const [kept, underWay] = [1, 2].map((sequence) => ({
    ...orderIntent({ sequence, account }),
    id: `order-${sequence}`,
  }));
  if (kept === undefined || underWay === undefined) throw new Error("there are two");
  await first.buy(kept);
  await first.replace(changeIntent(kept, { phase: "returned" }, clock.now()));
  await first.putAway();
  await first.buy(underWay);
  const erase = (name: string) => first.documents.erase(name);
  return { raw, clock, enter, erase, kept, underWay, account };
}

const lost = (name: string) => ({ reason: "incomplete", message: expect.stringContaining(name) });

describe("157: a page of the book that is gone", () => {
  test("is not taken for an empty one, and is named with what to do", async () => {
    const { enter, erase } = await makeJournal();
    await erase("book/000000.json");
    const { message, reason } = await troubleOf(enter("run-2").readAll());
    expect(reason).toBe("incomplete");
    expect(message).toMatch(/^book\/000000\.json is gone .*: put it back/);
  });

  test("is not begun anew by a process that has read it, and has more to put there", async () => {
    const { raw, clock, enter, erase, underWay } = await makeJournal();
    const running = enter("run-2");
    expect(await running.readAll()).toHaveLength(2);
    await erase("book/000000.json");
    await running.replace(changeIntent({ ...underWay }, { phase: "returned" }, clock.now()));
    await running.putAway();
    expect((await raw.read("book/000000.json", 1_000)).value).toBeUndefined();
    expect(await troubleOf(enter("run-3").readAll())).toMatchObject(lost("book/000000.json"));
  });

  test("stops purchases of release 0.1.0 from being taken in as if nothing else had been bought", async () => {
    const { enter, erase } = await makeJournal();
    await erase("book/000000.json");
    const { documents } = enter("run-2");
    const trouble = await troubleOf(importPurchases(documents, [orderIntent({ id: "early" })]));
    expect(trouble).toMatchObject(lost("book/000000.json"));
  });
});

describe("157: an account's document that is gone while there is a book", () => {
  test("is not taken for a journal that has not begun: nothing is read, bought or taken in", async () => {
    const { raw, enter, erase, underWay } = await makeJournal();
    await erase("account.json");
    for (const attempt of [
      () => enter("run-2").readAll(),
      () => enter("run-2").buy({ ...underWay, id: "order-3", sequence: 3 }),
      () => importPurchases(enter("run-2").documents, [orderIntent({ id: "early" })]),
    ])
      expect(await troubleOf(attempt())).toMatchObject(lost("account.json"));
    expect((await raw.read("account.json", 1_000)).value).toBeUndefined();
  });

  test("is found by who looks while others write it, and the book", async () => {
    const { enter, erase } = await makeJournal();
    const { documents } = enter("run-2");
    const { value } = await documents.read("account.json");
    await erase("account.json");
    const slow = {
      ...documents,
      list: async (prefix: string) => {
        if (value) await documents.create("account.json", value.text);
        return documents.list(prefix);
      },
    };
    await importPurchases(slow, [orderIntent({ id: "early" })]);
    expect(await enter("run-3").readAll()).toHaveLength(3);
  });
});

describe("188: a document that is gone while a process that has read it goes on", () => {
  test("is not begun anew, also while there is no book: what was bought since would be forgotten", async () => {
    const { raw, open } = makeDocumentBench();
    await importPurchases(open().documents, [orderIntent({ id: "early" })]);
    const timed = open();
    const purchases = openPurchases(timed, openAccount(timed));
    expect(await purchases.readAll()).toHaveLength(1);
    await timed.documents.erase("account.json");
    expect(await troubleOf(purchases.readAll())).toMatchObject(lost("account.json"));
    const reopened = troubleOf(purchases.reopen());
    expect(await reopened).toMatchObject(lost("account.json"));
    expect((await raw.read("account.json", 1_000)).value).toBeUndefined();
  });
});

describe("157: a salt that is gone", () => {
  test("is not made anew while a purchase has a fingerprint: it would be another account's", async () => {
    const { raw, enter, erase } = await makeJournal();
    await erase("salt.json");
    expect(await troubleOf(enter("run-2").fingerprint())).toMatchObject(lost("salt.json"));
    expect((await raw.read("salt.json", 1_000)).value).toBeUndefined();
  });

  test("is one that was never made, where all purchases are of release 0.1.0", async () => {
    const { open } = makeDocumentBench();
    const timed = open();
    await importPurchases(timed.documents, [orderIntent({ id: "early" })]);
    const purchases = openPurchases(timed, openAccount(timed));
    expect(await fingerprintKey(timed, "key", purchases)).toMatch(/^[0-9a-f]{16}$/);
  });
});
