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
