import { expect, test } from "vitest";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { openSharedJournal } from "../../../provider/journals/open-journal.ts";
import { startForTest } from "../../simulator/start.ts";
import { beginAccountRun } from "../../support/account.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { createMemoryStore } from "../support/memory-store.ts";
import { failureOf, given } from "../support/orders-under-test.ts";

const ownerIn = (stack: string) => `org/urn:pulumi:${stack}::fleet::proxyrental:ProxyOrder::fleet`;

/** Machines that share a journal, whose account has a budget of 14.69 USD a month. */
async function startMachines(beginning?: string) {
  const clock = createVirtualClock(beginning);
  const simulator = await startForTest({ now: clock.now });
  const raw = createMemoryStore(clock.now);

  /**
   * A run on a machine of its own, whose disk holds nothing.
   * @param aheadMs how far its clock is ahead
   */
  async function beginOn(stack: string, aheadMs = 0) {
    const journalDir = await makeTemporaryFolder();
    const own = { ...clock, now: () => new Date(clock.now().getTime() + aheadMs) };
    const { account, orders } = beginAccountRun({
      ...{ simulator, journalDir, clock: own, settings: { monthlyBudget: 14.69 } },
      openJournal: (place, own) =>
        openSharedJournal({ documents: openDocuments(raw, own), isProbed: false }, place, own),
    });
    const check = (country: string) => orders.check(ownerIn(stack), undefined, given({ country }));
    return { orders, lastWords: account.story.lastWords, check };
  }

  return { simulator, beginOn };
}

test("machines that share a journal share the budget: what one buys, the other can't spend", async () => {
  const { simulator, beginOn } = await startMachines();
  const one = await beginOn("one");
  const other = await beginOn("other");
  const [first, then] = [await one.check("USA"), await other.check("GBR")];
  expect(await one.lastWords()).toMatch(
    /Of the monthly budget of 14\.69 USD, 0\.00 USD is spent in \d{4}-\d\d, 7\.00 USD is planned by this run and 7\.69 USD is left\.$/,
  );
  await one.orders.create(first.checked);
  expect((await failureOf(other.orders.create(then.checked))).code).toBe("BUDGET_EXCEEDED");
  const later = await (await beginOn("later")).check("GBR");
  expect(later.failures.map(({ code, reason }) => `${code}: ${reason}`).join()).toContain(
    "BUDGET_EXCEEDED: 7.00 USD is spent",
  );
  expect(simulator.requestCounts().createOrder).toBe(1);
});

test("a machine whose clock is in the next month already plans by the month of the journal", async () => {
  const { beginOn } = await startMachines("2026-03-31T21:00:00.000Z");
  const first = await beginOn("one");
  await first.orders.create((await first.check("USA")).checked);
  const ahead = await beginOn("other", 11 * 3_600_000);
  const { failures } = await ahead.check("GBR");
  expect(failures.map(({ code, reason }) => `${code}: ${reason}`).join()).toContain(
    "BUDGET_EXCEEDED: 7.00 USD is spent in 2026-03",
  );
});
