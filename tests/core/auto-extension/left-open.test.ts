import { expect, test } from "vitest";
import { SwitchUnconfirmedError } from "../../../provider/core/auto-extension/apply.ts";
import type {
  AutoExtensionState,
  CheckedAutoExtension,
} from "../../../provider/core/auto-extension/state.ts";
import type { RunIdentity } from "../../../provider/core/ports.ts";
import { serviceFailure } from "../support/fake-service.ts";
import { failureOf } from "../support/orders-under-test.ts";
import { beginRun, given, owner } from "../support/renewals-under-test.ts";

/** A command that is typed once for each number. */
function command(name: "preview" | "up", number: number): RunIdentity {
  const phase = () => (name === "preview" ? "preview" : "update");
  return { run: undefined, command: name, commandId: String(number), phase };
}

type Run = ReturnType<typeof beginRun>;

async function failSwitching(switching: Promise<unknown>): Promise<AutoExtensionState> {
  const failure = await failureOf(switching);
  if (!(failure instanceof SwitchUnconfirmedError)) throw failure;
  return failure.state;
}

/** A run whose switch the service refuses, and what the engine saves of it. Later the price is higher. */
async function leaveOpen(): Promise<{
  first: Run;
  inputs: CheckedAutoExtension;
  state: AutoExtensionState;
}> {
  const first = beginRun({ run: command("up", 1) });
  const inputs = await first.plan();
  first.service.before.setAutoExtension = async () => {
    throw serviceFailure("rejected");
  };
  const state = await failSwitching(first.renewals.create(inputs));
  delete first.service.before.setAutoExtension;
  first.service.extensionPrice = 50;
  return { first, inputs, state };
}

test("180: what a run has failed to switch on is not switched on later at the price of that day", async () => {
  const { first, inputs, state } = await leaveOpen();
  const { service } = first;
  const preview = beginRun({ service, run: command("preview", 2) });
  const shown = await preview.renewals.check(owner, inputs, given());
  await expect(preview.renewals.diff(state, shown.checked, new Set())).rejects.toThrow(
    "REFRESH_NEEDED: an earlier run was to extend 2 proxies by 30 days each time for renewal",
  );

  // The engine updates what has failed, whatever diff says.
  const up = beginRun({ service, run: command("up", 3) });
  const { checked } = await up.renewals.check(owner, inputs, given());
  const { code } = await failureOf(up.renewals.update(state, checked));
  expect(code).toBe("REFRESH_NEEDED");
  expect(up.renewing()).toEqual({});
});

test("180: it is switched on by the next run if it costs no more than was shown", async () => {
  const { first, inputs, state } = await leaveOpen();
  const { service } = first;
  service.extensionPrice = 1;
  const up = beginRun({ service, run: command("up", 2) });
  const { checked } = await up.renewals.check(owner, inputs, given());
  expect(await up.renewals.diff(state, checked, new Set())).toEqual({ kind: "none" });
  await up.renewals.update(state, checked);
  expect(up.renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
});

test.each([
  ["in another currency", { price: 2, currency: "USD" }, { price: 2, currency: "EUR" }, false],
  ["at a price that was not told", { price: null }, { price: 2 }, false],
  ["at a price that is not told any more", { price: 2 }, { price: null }, false],
  ["at a price that is told now as little as before", { price: null }, { price: null }, true],
])(
  "195: what was left off is switched on only at what was shown: %s",
  async (_how, shown, now, isOn) => {
    const first = beginRun({ run: command("up", 1) });
    const { service } = first;
    service.calculated = shown;
    const inputs = await first.plan();
    service.before.setAutoExtension = async () => {
      throw serviceFailure("rejected");
    };
    const state = await failSwitching(first.renewals.create(inputs));
    delete service.before.setAutoExtension;

    service.calculated = now;
    const up = beginRun({ service, run: command("up", 2) });
    const { checked } = await up.renewals.check(owner, inputs, given());
    const code = await up.renewals.update(state, checked).then(
      () => undefined,
      (error) => error.code,
    );
    expect(code).toBe(isOn ? undefined : "REFRESH_NEEDED");
    expect(up.renewing()).toEqual(isOn ? { "ip-1": 30, "ip-2": 30 } : {});
  },
);

test("180: with a refresh it is shown at today's price, and switched on", async () => {
  const { first, inputs, state } = await leaveOpen();
  const up = beginRun({ service: first.service, run: command("up", 2) });
  const read = await up.renewals.read(state);
  const shown = await up.renewals.check(owner, read.drift ?? inputs, given());
  expect(shown.lines).toEqual([expect.stringContaining("for 100.00 USD a time")]);
  const change = await up.renewals.diff(read.state, shown.checked, new Set());
  expect(change).toEqual({ kind: "update" });
  await up.renewals.update(read.state, shown.checked);
  expect(up.renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
});

test("201: what was left off and has ended since asks for a refresh, and needs nothing after it", async () => {
  const { first, inputs, state } = await leaveOpen();
  const { service } = first;
  service.records = service.records.slice(2);
  service.before.calculateExtension = async () => {
    throw serviceFailure("rejected");
  };
  const up = beginRun({ service, run: command("preview", 2) });
  const { checked } = await up.renewals.check(owner, inputs, given());
  await expect(up.renewals.diff(state, checked, new Set())).rejects.toThrow("REFRESH_NEEDED");
  const read = await up.renewals.read(state);
  expect(await up.renewals.diff(read.state, checked, new Set())).toEqual({ kind: "none" });
});

test("180: what was switched on after all needs nothing more after a refresh", async () => {
  const first = beginRun();
  const inputs = await first.plan();
  first.service.before.listProxies = async () => {
    if (first.service.switches.length > 0) throw serviceFailure("unknown");
    return undefined;
  };
  const state = await failSwitching(first.renewals.create(inputs));
  delete first.service.before.listProxies;

  const next = beginRun({ service: first.service });
  const read = await next.renewals.read(state);
  expect(read.drift).toBeUndefined();
  const { checked } = await next.renewals.check(owner, inputs, given());
  expect(await next.renewals.diff(read.state, checked, new Set())).toEqual({ kind: "none" });
});

test("180: what was refused because no preview has shown it is not switched on by the next run", async () => {
  const three = { ipAddressIds: ["ip-1", "ip-2", "ip-3"] };
  const other = { ipAddressIds: ["ip-1", "ip-4"] };
  const first = beginRun({ run: command("up", 1) });
  const { service } = first;
  const { inputs, state } = await first.switchOn(three);
  const kept = beginRun({ service, run: command("preview", 2) });
  await kept.renewals.check(owner, inputs, given(three));
  await kept.account.journal.putAway();
  const up = beginRun({ service, run: command("up", 3) });
  const edited = await up.renewals.check(owner, inputs, given(other));
  const left = await failSwitching(up.renewals.update(state, edited.checked));
  expect(up.renewing()).toEqual({ "ip-1": 30 });
  expect(left.leftOff).toBe("refused");

  const next = beginRun({ service, run: command("up", 4) });
  const { checked } = await next.renewals.check(owner, edited.checked, given(other));
  expect((await failureOf(next.renewals.update(left, checked))).code).toBe("REFRESH_NEEDED");
  expect(next.renewing()).toEqual({ "ip-1": 30 });
});

test("215: a preview that was refused permits nothing of what it did not show", async () => {
  const first = beginRun({ run: command("up", 1) });
  const { service } = first;
  const { inputs, state } = await first.switchOn({ ipAddressIds: ["ip-3"] });
  const off = beginRun({ service, run: command("preview", 2) });
  await off.renewals.check(owner, inputs, given({ ipAddressIds: ["ip-3"], autoExtend: false }));
  await off.account.journal.putAway();
  const up = beginRun({ service, run: command("up", 3) });
  const edited = await up.renewals.check(owner, inputs, given());
  const left = await failSwitching(up.renewals.update(state, edited.checked));
  expect(left.leftOff).toBe("refused");

  const preview = beginRun({ service, run: command("preview", 4) });
  const shown = await preview.renewals.check(owner, edited.checked, given());
  const { code } = await failureOf(preview.renewals.diff(left, shown.checked, new Set()));
  expect(code).toBe("REFRESH_NEEDED");
  await preview.account.journal.putAway();

  // With a refresh, and without a preview of its own.
  const next = beginRun({ service, run: command("up", 5) });
  const { state: fresh, drift } = await next.renewals.read(left);
  const again = await next.renewals.check(owner, drift ?? edited.checked, given());
  const { message } = await failureOf(next.renewals.update(fresh, again.checked));
  expect(message).toContain("showed no automatic extension");
  expect(next.renewing()).toEqual({});
});

test("180: what a run has failed to switch off goes off with the next run, without a refresh", async () => {
  const first = beginRun();
  const { service } = first;
  const { inputs, state } = await first.switchOn();
  service.before.setAutoExtension = async () => {
    throw serviceFailure("rejected");
  };
  const fewer = { ...inputs, ipAddressIds: ["ip-1"] };
  const failure = await failureOf(first.renewals.update(state, fewer));
  if (!(failure instanceof SwitchUnconfirmedError)) throw failure;
  expect(failure.message).toContain("run `pulumi up` to put them right");
  delete service.before.setAutoExtension;
  await beginRun({ service }).renewals.update(failure.state, fewer);
  expect(first.renewing()).toEqual({ "ip-1": 30 });
});
