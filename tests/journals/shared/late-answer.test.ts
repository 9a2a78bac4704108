import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { DocumentStore } from "../../../provider/core/journal/document-store.ts";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { JournalError, lonely } from "../../../provider/core/ports.ts";
import { openSharedJournal } from "../../../provider/journals/open-journal.ts";
import { createMemoryStore } from "../../core/support/memory-store.ts";
import { given } from "../../core/support/orders-under-test.ts";
import { createFastClock } from "../../faults/fast-clock.ts";
import { startForTest } from "../../simulator/start.ts";
import { beginAccountRun } from "../../support/account.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

const ownerCalled = (name: string) => `org/urn:pulumi:dev::fleet::proxyrental:ProxyOrder::${name}`;

test("an order that another run has bought is not bought again, although a late answer and a failed write come within the turn", async () => {
  const clock = createFastClock();
  const simulator = await startForTest({ now: clock.now });
  const raw = createMemoryStore(clock.now);
  const mishap: { slow?: Promise<void>; isAway?: boolean; inTurn?: () => Promise<void> } = {};

  async function begin(isOurs: boolean) {
    return beginAccountRun({
      ...{ simulator, clock, journalDir: await makeTemporaryFolder() },
      openJournal: (place, own) => {
        const real = openDocuments(raw, own);
        const documents: DocumentStore = {
          ...real,
          async read(name) {
            const answer = await real.read(name);
            const { slow } = mishap;
            if (isOurs && name.endsWith("account.json") && slow) {
              delete mishap.slow;
              await slow;
            }
            return answer;
          },
          async replace(name, ...rest) {
            if (isOurs && mishap.isAway && name.endsWith("account.json")) {
              throw new JournalError("unavailable", "the store gave no answer");
            }
            return real.replace(name, ...rest);
          },
        };
        const parts = openSharedJournal({ documents, isProbed: false }, place, own);
        if (!isOurs) return parts;
        const hear = async () => {
          await mishap.inTurn?.();
          return [];
        };
        return { ...parts, memory: { ...lonely, isShared: true, hear } };
      },
    });
  }
  const plan = async (run: Awaited<ReturnType<typeof begin>>, name: string, args = {}) => {
    const { checked, failures } = await run.orders.check(ownerCalled(name), undefined, given(args));
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    return checked;
  };

  // An earlier run has bought something else, and was killed before it put it away.
  const early = await begin(false);
  const inputs = await plan(early, "early", { country: "DEU" });
  const state = await early.orders.create(inputs);
  clock.skip(600_000);

  const ours = await begin(true);
  const planned = await plan(ours, "fleet");
  clock.skip(2_000);
  // The plan of another resource asks for the journal, and the answer takes long.
  const slow = Promise.withResolvers<void>();
  mishap.slow = slow.promise;
  const other = plan(ours, "other", { country: "DEU", goal: "another" }).catch(() => undefined);
  await sleep(50);

  // Meanwhile another run of the stack buys the order, and ends.
  const theirs = await begin(false);
  await theirs.orders.create(await plan(theirs, "fleet"));
  await theirs.account.journal.endRun();
  expect(simulator.orders()).toHaveLength(2);

  // Right after the turn is taken: a confirmation can't be written, and the late answer comes.
  let isArmed = true;
  mishap.inTurn = async () => {
    const last = raw.historyOf("account.json").at(-1) ?? "";
    if (!isArmed || !last.includes(`"runId": "${ours.runId}"`)) return;
    isArmed = false;
    mishap.isAway = true;
    await ours.orders.diff(state, inputs, new Set());
    await sleep(50);
    mishap.isAway = false;
    slow.resolve();
    for (let n = 0; n < 8; n++) await Promise.resolve();
  };
  const outcome = await ours.orders.create(planned).then(
    () => "bought",
    (error: Error) => error.message,
  );
  await other;
  expect(isArmed).toBe(false);
  expect([outcome, simulator.orders().length]).toEqual([expect.stringContaining("order"), 2]);
});
