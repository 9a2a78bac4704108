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

/** A person switches both. A refresh finds that, and the program follows it, which switches nothing on. */
async function follow(isOn: boolean) {
  const { state, inputs, service } = await laterRun({ autoExtend: !isOn });
  for (const id of both) toggle(service, id, isOn, 30);
  const run = beginRun({ service });
  const { state: fresh, drift } = await run.renewals.read(state);
  // The engine compares what it has kept with what it has read.
  const { quote: _, ...wanted } = drift ?? inputs;
  expect(await run.renewals.diff(fresh, wanted, new Set())).toEqual({ kind: "none" });
  const { checked } = await run.renewals.check(owner, drift, given({ autoExtend: isOn }));
  expect(await run.renewals.diff(fresh, checked, new Set())).toEqual({ kind: "update" });
  const followed = await run.renewals.update(fresh, checked);
  expect(service.switches.filter(({ autoExtend }) => autoExtend)).toEqual([]);
  return { service, state: followed, inputs: checked };
}

test.each([
  ["on is switched off", false, {}],
  ["off is switched on", true, { "ip-1": 30, "ip-2": 30 }],
])(
  "214: after a program has followed the service, one that somebody switches %s",
  async (_what, isOn, expected) => {
    const { service, state, inputs } = await follow(isOn);
    toggle(service, "ip-2", !isOn, 30);
    const run = beginRun({ service });
    const { state: fresh, drift } = await run.renewals.read(state);
    const args = given({ autoExtend: isOn });
    const { checked } = await run.renewals.check(owner, drift ?? inputs, args);
    expect(await run.renewals.diff(fresh, checked, new Set())).toEqual({ kind: "update" });
    await run.renewals.update(fresh, checked);
    expect(run.renewing()).toEqual(expected);
  },
);

test.each([true, false])(
  "214: a program that has followed the service once changes nothing more: %s",
  async (isOn) => {
    const { service, state, inputs } = await follow(isOn);
    const run = beginRun({ service });
    const { state: fresh, drift } = await run.renewals.read(state);
    expect(drift).toBeUndefined();
    const { checked, isKept } = await run.renewals.check(
      owner,
      inputs,
      given({ autoExtend: isOn }),
    );
    expect(isKept).toBe(true);
    expect(await run.renewals.diff(fresh, checked, new Set())).toEqual({ kind: "none" });
  },
);

test("214: one that is switched on before the program is carried out that follows, goes off with it", async () => {
  const { state, service } = await laterRun();
  for (const id of both) toggle(service, id, false, 0);
  const { state: found, drift } = await beginRun({ service }).renewals.read(state);
  toggle(service, "ip-2", true, 30);
  const run = beginRun({ service });
  const { checked } = await run.renewals.check(owner, drift, given({ autoExtend: false }));
  expect(await run.renewals.diff(found, checked, new Set())).toEqual({ kind: "update" });
  await run.renewals.update(found, checked);
  expect(run.renewing()).toEqual({});
});
