import { expect, onTestFinished, test, vi } from "vitest";
import { parseJournalUrl, type SharedLocation } from "../../../provider/journals/journal-url.ts";
import { machineTime } from "../../../provider/journals/machine-time.ts";
import { openJournalAt } from "../../../provider/journals/open-journal.ts";
import { startForTest } from "../../simulator/start.ts";
import { beginAccountRun } from "../../support/account.ts";
import { spendingOf } from "../../support/spending.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { describeProduct } from "../store-contract.ts";
import { s3rver } from "../stores/products/npm-server.ts";
import { planOrder } from "./shared-run.ts";

await describeProduct(s3rver, ({ product }) => {
  test("a run that buys finds out that its store ignores conditions, and buys nothing", async () => {
    const { url, environment } = product().enter("unfit");
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const shared = parseJournalUrl(url) as SharedLocation;
    const simulator = await startForTest();
    const run = beginAccountRun({
      ...{ simulator, clock: machineTime, journalDir: await makeTemporaryFolder() },
      openJournal: (place, own) => openJournalAt({ ...place, shared }, own),
    });
    const planned = await planOrder(run, "fleet");
    await expect(run.orders.create(planned)).rejects.toThrow(
      /JOURNAL_UNAVAILABLE: the journal in s3:\/\/\S+ at \S+ can't be trusted \(expected: /,
    );
    expect(spendingOf(simulator)).toMatchObject({ charges: [], orderCalls: 0 });
  });
});
