import { expect, test } from "vitest";
import { SwitchUnconfirmedError } from "../../../provider/core/auto-extension/apply.ts";
import type { RunIdentity } from "../../../provider/core/ports.ts";
import { serviceFailure } from "../support/fake-service.ts";
import { failureOf } from "../support/orders-under-test.ts";
import { beginRun, given, laterRun, owner } from "../support/renewals-under-test.ts";

const RENAMED = owner.replace(/renewal$/, "renamed");

/** A command that is typed once for each number. */
function command(name: "preview" | "up", number: number): RunIdentity {
  const phase = () => (name === "preview" ? "preview" : "update");
  return { run: undefined, command: name, commandId: String(number), phase };
}

test("182: a delete leaves nothing on for a resource that was refused, and that no state has", async () => {
  const first = beginRun({ run: command("up", 1) });
  const { service } = first;
  const { inputs, state } = await first.switchOn();
  const preview = beginRun({ service, run: command("preview", 2) });
  await preview.renewals.check(owner, inputs, given());
  await preview.account.journal.putAway();

  // It is renamed without an alias and gets another period, and nobody has seen that in a preview.
  const up = beginRun({ service, run: command("up", 3) });
  const { checked } = await up.renewals.check(RENAMED, undefined, given({ rentPeriodDays: 90 }));
  const refusal = await failureOf(up.renewals.create(checked));
  expect(refusal).not.toBeInstanceOf(SwitchUnconfirmedError);
  await up.renewals.delete(state);
  expect(up.renewing()).toEqual({});
});

test("182: nor for one that a policy has refused, so that nothing was created", async () => {
  const { renewals, state, renewing } = await laterRun();
  await renewals.check(RENAMED, undefined, given());
  await renewals.delete(state);
  expect(renewing()).toEqual({});
});

test("182: what has failed and is saved keeps its proxies on", async () => {
  const { renewals, state, renewing, service } = await laterRun();
  const { checked } = await renewals.check(RENAMED, undefined, given({ rentPeriodDays: 90 }));
  service.before.setAutoExtension = async () => {
    throw serviceFailure("rejected");
  };
  expect(await failureOf(renewals.create(checked))).toBeInstanceOf(SwitchUnconfirmedError);
  delete service.before.setAutoExtension;
  await renewals.delete(state);
  expect(renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
});

/** A run that renames it is cut off before its former state is deleted. Then the service gives all proxies new ids. */
async function cutOffRenaming() {
  const { renewals, inputs: formerInputs, state: former, service, account } = await laterRun();
  const { checked } = await renewals.check(RENAMED, undefined, given());
  const renamed = await renewals.create(checked);
  await account.journal.endRun();
  service.records = service.records.map((row, index) => ({
    ...row,
    ipAddressId: `new-${index + 1}`,
  }));
  const next = beginRun({ service });
  const read = await next.renewals.read(renamed);
  const readFormer = await next.renewals.read(former);
  // The engine compares what it has read with the inputs of the last run.
  await next.renewals.diff(read.state, checked, new Set());
  await next.renewals.diff(readFormer.state, formerInputs, new Set());
  return { ...next, inputs: checked, renamed: read.state, former: readFormer.state };
}

const newIds = { ipAddressIds: ["new-1", "new-2"] };

test("216: a renamed resource stays on where its former state is deleted after the ids have changed", async () => {
  const { renewals, inputs, renamed, former, renewing } = await cutOffRenaming();
  const { checked } = await renewals.check(RENAMED, inputs, given(newIds));
  expect(await renewals.diff(renamed, checked, new Set())).toEqual({ kind: "none" });
  await renewals.delete(former);
  expect(renewing()).toEqual({ "new-1": 30, "new-2": 30 });
});

test("216: so it does if its edit is refused", async () => {
  const { renewals, inputs, renamed, former, renewing } = await cutOffRenaming();
  const edited = given({ ipAddressIds: [...newIds.ipAddressIds, "ip-9"] });
  const { checked } = await renewals.check(RENAMED, inputs, edited);
  expect(await renewals.diff(renamed, checked, new Set())).toEqual({ kind: "update" });
  await failureOf(renewals.update(renamed, checked));
  await renewals.delete(former);
  expect(renewing()).toEqual({ "new-1": 30, "new-2": 30 });
});

test("216: what the program names no more goes off, although a refresh has compared it", async () => {
  const { renewals, renamed, former, renewing } = await cutOffRenaming();
  await renewals.delete(former);
  await renewals.delete(renamed);
  expect(renewing()).toEqual({});
});

test("182: what a state has had stays on, also if its edit is refused", async () => {
  const first = beginRun();
  const { service } = first;
  const { inputs, state } = await first.switchOn();
  const both = await first.renewals.check(RENAMED, undefined, given());
  const twin = await first.renewals.create(both.checked);

  const up = beginRun({ service });
  const edited = given({ ipAddressIds: ["ip-1", "ip-9"] });
  const { checked } = await up.renewals.check(RENAMED, both.checked, edited);
  await failureOf(up.renewals.update(twin, checked));
  await up.renewals.delete(state);
  expect(up.renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
  expect(inputs.ipAddressIds).toEqual(twin.ipAddressIds);
});

test("182: after a refusal, proxies that were to move go off with the edit of their owner", async () => {
  const { renewals, inputs, state, renewing } = await laterRun();
  const moved = given({ ipAddressIds: ["ip-1", "ip-9"] });
  const { checked } = await renewals.check(RENAMED, undefined, moved);
  await failureOf(renewals.create(checked));
  await renewals.update(state, { ...inputs, ipAddressIds: ["ip-2"] });
  expect(renewing()).toEqual({ "ip-2": 30 });
});
