import { describe, expect, test } from "vitest";
import type { CheckedAutoExtension } from "../../../provider/core/auto-extension/state.ts";
import type { FakeService } from "../support/fake-service.ts";
import { beginRun, given, laterRun, owner } from "../support/renewals-under-test.ts";

const OTHER = owner.replace(/renewal$/, "other");

const GROWN = ["ip-1", "ip-2", "ip-3"];

type Run = ReturnType<typeof beginRun>;

/** A later run that checks what the program asks for. */
async function check({ renewals }: Run, args: object, before?: unknown, name = owner) {
  const { checked } = await renewals.check(name, before, given(args));
  return checked as CheckedAutoExtension;
}

/** The switch is carried out, and then its run is gone: killed, or ended in the ordinary way without a saved state. */
async function growUnsaved(isKilled: boolean) {
  const { service, inputs, state } = await laterRun();
  const growing = beginRun({ service });
  const wanted = await check(growing, { ipAddressIds: GROWN }, inputs);
  const grown = await growing.renewals.update(state, wanted);
  await end(growing, isKilled);
  return { service, inputs, state, grown: { inputs: wanted, state: grown } };
}

async function createUnsaved(isKilled: boolean) {
  const creating = beginRun();
  await creating.switchOn();
  await end(creating, isKilled);
  return creating.service;
}

async function end({ account, die }: Run, isKilled: boolean): Promise<void> {
  if (isKilled) die();
  else await account.journal.endRun();
}

/** Plans as an engine does that goes on with a state. */
async function plan(run: Run, before: { inputs: unknown; state: unknown }, args: object) {
  const wanted = await check(run, args, before.inputs);
  return (await run.renewals.diff(before.state, wanted, new Set())).kind;
}

const later = (service: FakeService) => beginRun({ service, endsLast: true });

async function warningsOf({ account, log }: Run): Promise<string[]> {
  await account.story.lastWords();
  return log.warnings;
}

describe("306: what a run has switched on, and no state has", () => {
  test.each([
    ["was killed", true],
    ["ended without a saved state", false],
  ])("is named where the edit is taken back, if that run %s", async (_how, isKilled) => {
    const { service, inputs, state } = await growUnsaved(isKilled);
    const run = later(service);
    expect(await plan(run, { inputs, state }, {})).toBe("none");
    expect(await warningsOf(run)).toEqual([
      "an earlier run has switched automatic extension on, and no state has that: 1 IPv4 proxy (ip-3) for renewal. It goes on costing money. Switch it off at the service, or with an IpAutoExtend of these ids (autoExtend: false)",
    ]);
  });

  test("is named where its resource is deleted, which switches off what its state has", async () => {
    const { service, state } = await growUnsaved(true);
    const run = later(service);
    await run.renewals.delete(state);
    expect((await warningsOf(run))[0]).toContain("(ip-3)");
    expect(run.renewing()).toEqual({ "ip-3": 30 });
  });

  test("is named by each run of the stack while it is on, also where the program has no such resource", async () => {
    const service = await createUnsaved(true);
    const first = later(service);
    await check(first, { ipAddressIds: ["ip-4"] }, undefined, OTHER);
    expect((await warningsOf(first))[0]).toContain("2 IPv4 proxies (ip-1, ip-2) for renewal");
    await first.account.journal.endRun();
    const second = later(service);
    await check(second, { ipAddressIds: ["ip-4"] }, undefined, OTHER);
    expect(await warningsOf(second)).toHaveLength(1);
    for (const listed of service.records) listed.extendInfo = { autoExtend: false, extendDays: 0 };
    const third = later(service);
    await check(third, { ipAddressIds: ["ip-4"] }, undefined, OTHER);
    expect(await warningsOf(third)).toEqual([]);
  });

  test.each([
    ["the same resource", owner],
    ["a resource of another name", OTHER],
  ])("is not named where %s declares it, nor once that has a state", async (_who, name) => {
    const service = await createUnsaved(true);
    const run = later(service);
    const inputs = await check(run, {}, undefined, name);
    const state = await run.renewals.create(inputs);
    expect(await warningsOf(run)).toEqual([]);
    await run.account.journal.endRun();
    const next = later(service);
    await next.renewals.read(state);
    expect(await warningsOf(next)).toEqual([]);
    await next.account.journal.endRun();
    // From then on the journal knows that it was saved.
    const last = later(service);
    await check(last, { ipAddressIds: ["ip-4"] }, undefined, "org/urn:pulumi:dev::fleet::x::y");
    expect(await warningsOf(last)).toEqual([]);
  });

  test("is not named while nobody knows whether it was saved: its run has ended, and no state of the resource is shown", async () => {
    const service = await createUnsaved(false);
    const run = later(service);
    await check(run, { ipAddressIds: ["ip-4"] }, undefined, OTHER);
    expect(await warningsOf(run)).toEqual([]);
  });

  test("is another stack's affair", async () => {
    const service = await createUnsaved(true);
    const run = later(service);
    await check(run, { ipAddressIds: ["ip-4"] }, undefined, OTHER.replace(":dev:", ":prod:"));
    expect(await warningsOf(run)).toEqual([]);
  });

  test("is not named where the state has it, whatever ids the service has given since", async () => {
    const { service, grown } = await growUnsaved(true);
    for (const listed of service.records) listed.ipAddressId = `new-${listed.ipAddressId}`;
    const run = later(service);
    await run.renewals.read(grown.state);
    expect(await warningsOf(run)).toEqual([]);
  });
});
