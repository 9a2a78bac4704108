import { expect, test } from "vitest";
import { findPayments } from "../../../../provider/core/extension/model/payments.ts";
import { openJournal } from "../../../../provider/core/journal/journal.ts";
import { openFileJournal } from "../../../../provider/journals/file/file-journal.ts";
import { makeFolder } from "../../../journals/file/folders.ts";
import { silentLog } from "../../../support/silent-log.ts";
import { extensionIntent, orderDraft } from "../../records/intents.ts";
import { createManualClock } from "../../support/account-under-test.ts";

test.each([
  ["the stack that made it", "staging", "staging", 1],
  ["no stack of another scope", "staging", "production", 0],
  ["no stack with a scope, if it was made without one", "", "staging", 0],
  ["no stack without a scope, if it was made with one", "staging", "", 0],
])("a payment that no state has yet is of %s", async (_what, payer, asker, found) => {
  const place = {
    ...{ journalDir: makeFolder(), project: "/project" },
    baseUrl: "https://service.test/api",
  };
  const clock = createManualClock();
  const begin = (scope: string) =>
    openJournal(openFileJournal({ ...place, scope }, clock), silentLog, 90_000);
  const { purchase } = extensionIntent([{ ipAddressId: "1", address: "192.0.2.1:80" }]);
  const run = begin(payer);
  const sent = await run.withAccount(() => run.begin({ ...orderDraft(), purchase }));
  await run.change(sent, { phase: "placed" });
  const payments = await findPayments({ journal: begin(asker) }, sent.owner, [], undefined);
  expect(payments).toHaveLength(found);
});
