import { expect, test } from "vitest";
import { beginRun, given, laterRun, owner, toggle } from "../support/renewals-under-test.ts";

const both = ["ip-1", "ip-2"];

test("213: a program that follows what a person has changed at the service is shown the price of that", async () => {
  const { state, service } = await laterRun();
  for (const id of both) toggle(service, id, true, 90);
  service.extensionPrice = 9;
  const { drift } = await beginRun({ service }).renewals.read(state);
  expect(drift).toMatchObject({ rentPeriodDays: 90 });
  const preview = beginRun({ service });
  const { checked, lines } = await preview.renewals.check(
    owner,
    drift,
    given({ rentPeriodDays: 90 }),
  );
  expect(checked.quote).toMatchObject({ effect: "autoExtend", pricePerCycle: 18 });
  expect(lines).toEqual([expect.stringContaining("for 18.00 USD a time at today's price")]);
});

test("213: a program that takes over what a person has switched on is shown what it costs", async () => {
  const { state, service } = await laterRun({ autoExtend: false });
  for (const id of both) toggle(service, id, true, 30);
  const { drift } = await beginRun({ service }).renewals.read(state);
  expect(drift).toMatchObject({ autoExtend: true });
  const { checked, lines } = await beginRun({ service }).renewals.check(owner, drift, given());
  expect(checked.quote).toMatchObject({ effect: "autoExtend", pricePerCycle: 2 });
  expect(lines).toEqual([expect.stringContaining("will extend 2 IPv4 proxies by 30 days")]);
});

test("213: where a person has changed it back, the price stays, and none is asked for", async () => {
  const { state, inputs, service } = await laterRun();
  for (const id of both) toggle(service, id, true, 90);
  const away = await beginRun({ service }).renewals.read(state);
  for (const id of both) toggle(service, id, true, 30);
  const back = await beginRun({ service }).renewals.read(away.state);
  const run = beginRun({ service });
  const asked = service.calls.calculateExtension;
  const { checked } = await run.renewals.check(owner, back.drift, given());
  expect(checked).toEqual(inputs);
  expect(service.calls.calculateExtension).toBe(asked);
  expect(await run.renewals.diff(back.state, checked, new Set())).toEqual({ kind: "none" });
});
