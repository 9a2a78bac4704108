import { expect, test } from "vitest";
import type { PlanTrace } from "../../provider/core/records/previewed-plan.ts";
import { readSettings } from "../../provider/host/settings.ts";
import { openSystemAccount } from "../../provider/host/system.ts";
import { machineTime } from "../../provider/journals/machine-time.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const owner = "urn:pulumi:dev::fleet::proxyrental:index:ProxyOrder::fleet";

const plan: PlanTrace = {
  ...{ owner, requestId: "request-1", effect: "buy" },
  ...{ quantity: 5, price: 7, currency: "USD" },
};

const MINUTE_MS = 60_000;

/** What binds a process of these settings, some minutes after another one has previewed. */
async function countBinding(minutes: number, more: Record<string, string>): Promise<number> {
  const environment = {
    PROXYRENTAL_BASE_URL: "http://service.test/api",
    PROXYRENTAL_API_KEY: "key-of-a-test",
    PROXYRENTAL_JOURNAL_DIR: await makeTemporaryFolder(),
    ...more,
  };
  const settings = readSettings({ config: () => undefined, environment });
  await openSystemAccount(settings).journal.previewed.note(plan);
  const now = () => new Date(machineTime.now().getTime() + minutes * MINUTE_MS);
  const later = openSystemAccount(settings, { clock: { ...machineTime, now } });
  return (await later.journal.previewed.ofStack(owner)).length;
}

test("a preview binds for two hours, or for as long as previewBindsMinutes says", async () => {
  expect(await countBinding(119, {})).toBe(1);
  expect(await countBinding(121, {})).toBe(0);
  expect(await countBinding(4, { PROXYRENTAL_PREVIEW_BINDS_MINUTES: "5" })).toBe(1);
  expect(await countBinding(6, { PROXYRENTAL_PREVIEW_BINDS_MINUTES: "5" })).toBe(0);
  expect(await countBinding(299, { PROXYRENTAL_PREVIEW_BINDS_MINUTES: "300" })).toBe(1);
});
