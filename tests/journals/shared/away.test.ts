import { expect, test } from "vitest";
import { createAutoExtensionLifecycle } from "../../../provider/core/auto-extension/lifecycle.ts";
import { spendingOf } from "../../support/spending.ts";
import { makeSharedJournal, planOrder } from "./shared-run.ts";

test("without its journal nothing is bought, and a preview that would buy says so", async () => {
  const { beginRun, simulator, takeAway } = await makeSharedJournal();
  const run = beginRun();
  const planned = await planOrder(run, "planned");
  takeAway();
  await expect(planOrder(beginRun(), "new")).rejects.toThrow("JOURNAL_UNAVAILABLE");
  await expect(run.orders.create(planned)).rejects.toThrow("JOURNAL_UNAVAILABLE");
  expect(spendingOf(simulator)).toMatchObject({ charges: [], orderCalls: 0 });
});

test("without its journal a refresh, a preview without a purchase and a destroy go on", async () => {
  const { beginRun, simulator, takeAway } = await makeSharedJournal();
  const first = beginRun();
  const inputs = await planOrder(first, "fleet");
  const outputs = await first.orders.create(inputs);
  const { ipAddressIds } = outputs;
  const args = { proxyType: "IPv4", ipAddressIds, autoExtend: true, rentPeriodDays: 30 };
  const owner = "org/urn:pulumi:dev::fleet::proxyrental:IpAutoExtend::on";
  const renewals = createAutoExtensionLifecycle(first.account);
  const given = { known: args, unknown: new Set<string>() };
  const { checked } = await renewals.check(owner, undefined, given);
  const renewing = await renewals.create(checked as Parameters<typeof renewals.create>[0]);
  await first.account.journal.endRun();
  takeAway();

  const { account, orders } = beginRun();
  expect(await orders.read(outputs)).toMatchObject({ kind: "present" });
  const { quote } = await planOrder({ orders }, "fleet", {}, inputs);
  expect(quote.effect).toBe("none");
  expect(await orders.diff(outputs, inputs, new Set())).toMatchObject({ kind: "none" });
  expect((await account.service.getBalance()).balance).toBe(993);

  await createAutoExtensionLifecycle(account).delete(renewing);
  await orders.delete(outputs);
  await account.journal.endRun();
  expect(simulator.proxies().filter(({ autoExtend }) => autoExtend)).toEqual([]);
  expect(spendingOf(simulator)).toMatchObject({ charges: ["7.00"], orderCalls: 1 });
});
