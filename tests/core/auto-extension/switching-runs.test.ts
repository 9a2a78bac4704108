import { expect, test } from "vitest";
import type { RunIdentity } from "../../../provider/core/ports.ts";
import { beginRun as beginOrders, failureOf } from "../support/orders-under-test.ts";
import { beginRun, given, owner } from "../support/renewals-under-test.ts";

/** One run of a command, with an engine of its own. */
function up(number: number): RunIdentity {
  return {
    run: `127.0.0.1:${number}`,
    command: "up",
    commandId: `cli-${number}`,
    phase: () => "update",
  };
}

type Run = ReturnType<typeof beginRun>;

const longer = given({ rentPeriodDays: 90 });

/** A run that makes each automatic extension longer. It is cancelled before that, and goes on. */
async function beginCancelled() {
  const first = beginRun({ run: up(1) });
  const { service } = first;
  const { inputs, state } = await first.switchOn();
  await first.account.journal.endRun();
  const cancelled = beginRun({ service, run: up(2), besideOthers: true });
  const { checked } = await cancelled.renewals.check(owner, inputs, longer);
  const next = beginRun({ service, run: up(3), besideOthers: true });
  return { service, inputs, state, cancelled, checked, next };
}

async function expectStopped(run: Run, switching: Promise<unknown>, renewing: object) {
  expect((await failureOf(switching)).message).toContain(
    "since this run began another run of this stack has",
  );
  expect(run.renewing()).toEqual(renewing);
}

test.each([
  ["switched all off", { autoExtend: false }, {}],
  ["given to fewer proxies", { ipAddressIds: ["ip-2"] }, { "ip-2": 30 }],
])(
  "181: a cancelled run that goes on does not switch on after the next run has %s",
  async (_what, args, renewing) => {
    const { inputs, state, cancelled, checked, next } = await beginCancelled();
    const edited = await next.renewals.check(owner, inputs, given(args));
    await next.renewals.update(state, edited.checked);
    await next.account.journal.endRun();
    await expectStopped(cancelled, cancelled.renewals.update(state, checked), renewing);
  },
);

test("181: nor what the next run has destroyed, although nothing was on any more", async () => {
  const { service, state, cancelled, checked, next } = await beginCancelled();
  for (const record of service.records) record.extendInfo.autoExtend = false;
  await next.renewals.delete(state);
  await next.account.journal.endRun();
  await expectStopped(cancelled, cancelled.renewals.update(state, checked), {});
});

test("181: nor anything after the next run has bought", async () => {
  const { service, state, cancelled, checked } = await beginCancelled();
  const next = beginOrders({ service, run: up(3), besideOthers: true });
  // The new order is paid, and its proxies are not listed yet.
  const listed = [...service.records];
  await next.buy("new").catch(() => undefined);
  service.records = listed;
  await next.account.journal.endRun();
  const renewing = { "ip-1": 30, "ip-2": 30 };
  await expectStopped(cancelled, cancelled.renewals.update(state, checked), renewing);
});

test("181: nor does a further process of it that begins only then", async () => {
  const { service, inputs, state, next } = await beginCancelled();
  const off = await next.renewals.check(owner, inputs, given({ autoExtend: false }));
  await next.renewals.update(state, off.checked);
  const late = beginRun({ service, run: up(2), besideOthers: true });
  const { checked } = await late.renewals.check(owner, inputs, longer);
  await expectStopped(late, late.renewals.update(state, checked), {});
});

test("207: nor what the next run has destroyed while this one waited for a person, if its preview showed it", async () => {
  const preview = beginRun({ run: { ...up(2), run: "127.0.0.1:20", phase: () => "preview" } });
  const { service } = preview;
  await preview.plan();
  await preview.account.journal.endRun();
  const next = beginRun({ service, run: up(3) });
  const { state } = await next.switchOn();
  await next.account.journal.endRun();
  const destroy = beginRun({ service, run: { ...up(4), command: "other" } });
  await destroy.renewals.delete(state);
  await destroy.account.journal.endRun();
  const late = beginRun({ service, run: up(2) });
  const { checked } = await late.renewals.check(owner, undefined, given());
  await expectStopped(late, late.renewals.create(checked), {});
});

test("a run that is replaced still switches off", async () => {
  const { inputs, state, cancelled, next } = await beginCancelled();
  const edited = await next.renewals.check(owner, inputs, longer);
  await next.renewals.update(state, edited.checked);
  const off = await cancelled.renewals.check(owner, inputs, given({ autoExtend: false }));
  await cancelled.renewals.update(state, off.checked);
  expect(cancelled.renewing()).toEqual({});
});

test("what another stack of the account, or an earlier run of this one, has switched stops nobody", async () => {
  const { inputs, state, cancelled, checked, next } = await beginCancelled();
  const elsewhere = owner.replace(":dev::", ":prod::");
  const other = await next.renewals.check(elsewhere, undefined, given({ ipAddressIds: ["ip-3"] }));
  await next.renewals.create(other.checked);
  await cancelled.renewals.update(state, checked);
  expect(cancelled.renewing()).toEqual({ "ip-1": 90, "ip-2": 90, "ip-3": 30 });
  expect(inputs.rentPeriodDays).toBe(30);
});

test("194: what the same-named stack of another checkout switches at the same time stops nobody", async () => {
  const here = beginRun({ run: up(1), project: "/here" });
  const { service } = here;
  const inputs = await here.plan();
  const there = beginRun({ service, run: up(2), project: "/there", besideOthers: true });
  await there.switchOn({ ipAddressIds: ["ip-3"] });
  await here.renewals.create(inputs);
  expect(here.renewing()).toEqual({ "ip-1": 30, "ip-2": 30, "ip-3": 30 });
});
