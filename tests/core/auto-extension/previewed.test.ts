import { expect, test } from "vitest";
import type { RunIdentity } from "../../../provider/core/ports.ts";
import { failureOf } from "../support/orders-under-test.ts";
import { beginRun, given, owner, toggle } from "../support/renewals-under-test.ts";

/** A command that is typed once for each number. */
function command(name: "preview" | "up", number: number): RunIdentity {
  const phase = () => (name === "preview" ? "preview" : "update");
  return { run: undefined, command: name, commandId: String(number), phase };
}

type Run = ReturnType<typeof beginRun>;

/** An update without a preview of its own. */
const update = ({ service }: Run) => beginRun({ service, run: command("up", 2) });

test("what a preview has shown is switched on, in whatever sequence the proxies are given", async () => {
  const preview = beginRun({ run: command("preview", 1) });
  await preview.plan();
  const up = update(preview);
  await up.switchOn({ ipAddressIds: ["ip-2", "ip-1"] });
  expect(up.renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
});

test("at a higher price than the newest preview showed it is not switched on", async () => {
  const preview = beginRun({ run: command("preview", 1) });
  await preview.plan();
  preview.service.extensionPrice = 50;
  const up = update(preview);
  expect(await failureOf(up.switchOn())).toMatchObject({ code: "PRICE_ROSE" });
  expect(up.renewing()).toEqual({});
});

test.each([
  ["other proxies", { ipAddressIds: ["ip-3", "ip-4"] }],
  ["more proxies", { ipAddressIds: ["ip-1", "ip-2", "ip-3"] }],
  ["another period", { rentPeriodDays: 90 }],
])("%s than the newest preview showed are not extended", async (_what, args) => {
  const preview = beginRun({ run: command("preview", 1) });
  await preview.plan();
  const up = update(preview);
  const { code, message } = await failureOf(up.switchOn(args));
  expect(code).toBe("NOT_PLANNED");
  expect(message).toContain("showed another automatic extension for renewal, and now");
  expect(message).toContain("They were not switched on");
  expect(up.renewing()).toEqual({});
});

test("what the newest preview showed as off, or did not contain, is not switched on", async () => {
  const preview = beginRun({ run: command("preview", 1) });
  await preview.plan({ autoExtend: false });
  await preview.account.journal.putAway();
  expect(await failureOf(update(preview).switchOn())).toMatchObject({ code: "NOT_PLANNED" });

  const without = beginRun({ run: command("preview", 1) });
  await without.renewals.check(`${owner}-other`, undefined, given());
  const up = update(without);
  expect((await failureOf(up.switchOn())).message).toContain(
    "showed no automatic extension for renewal",
  );
  expect(up.renewing()).toEqual({});
});

test("proxies that a preview could not know yet are switched on", async () => {
  const preview = beginRun({ run: command("preview", 1) });
  await preview.renewals.check(owner, undefined, given({}, "ipAddressIds"));
  const up = update(preview);
  await up.switchOn();
  expect(up.renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
});

test("what somebody else has switched off is switched on again as the preview shows it", async () => {
  const first = beginRun();
  const { inputs, state } = await first.switchOn();
  for (const id of ["ip-1", "ip-2"]) toggle(first.service, id, false, 0);
  const preview = beginRun({ service: first.service, run: command("preview", 1) });
  await preview.renewals.check(owner, inputs, given());
  const up = update(preview);
  const { checked } = await up.renewals.check(owner, inputs, given());
  await up.renewals.update(state, checked);
  expect(up.renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
});

test("212: what the newest preview showed to stay off, as a refresh had found it, is not switched on", async () => {
  const first = beginRun({ run: command("up", 1) });
  const { service } = first;
  const { state } = await first.switchOn();
  for (const id of ["ip-1", "ip-2"]) toggle(service, id, false, 0);
  const refresh = beginRun({ service, run: { ...command("up", 2), command: "other" } });
  const { drift, state: fresh } = await refresh.renewals.read(state);
  const preview = beginRun({ service, run: command("preview", 3) });
  const shown = await preview.renewals.check(owner, drift, given({ autoExtend: false }));
  expect(shown.lines ?? []).toEqual([]);
  await preview.account.journal.putAway();

  const up = beginRun({ service, run: command("up", 4) });
  const { checked } = await up.renewals.check(owner, drift, given());
  const { message } = await failureOf(up.renewals.update(fresh, checked));
  expect(message).toContain("showed no automatic extension");
  expect(up.renewing()).toEqual({});
});

test("212: nor is it where release 0.1.0 has refreshed, which left the quote of what was on", async () => {
  const first = beginRun({ run: command("up", 1) });
  const { service } = first;
  const { inputs, state } = await first.switchOn();
  for (const id of ["ip-1", "ip-2"]) toggle(service, id, false, 0);
  const before = { ...inputs, autoExtend: false };
  const preview = beginRun({ service, run: command("preview", 2) });
  await preview.renewals.check(owner, before, given({ autoExtend: false }));
  await preview.account.journal.putAway();

  const up = beginRun({ service, run: command("up", 3) });
  const { checked } = await up.renewals.check(owner, before, given());
  const { code } = await failureOf(up.renewals.update({ ...state, autoExtend: false }, checked));
  expect(code).toBe("NOT_PLANNED");
  expect(up.renewing()).toEqual({});
});

/** One phase of an `up`. The engine has another address in each. */
function up(number: number, phase: "preview" | "update"): RunIdentity {
  const run = `127.0.0.1:${number} ${phase}`;
  return { run, command: "up", commandId: `cli-${number}`, phase: () => phase };
}

/** An `up` that waits for a person. Its preview has shown that nothing changes about what is on. */
async function waitUnchanged() {
  const first = beginRun({ run: up(1, "update") });
  const { service } = first;
  const { inputs, state } = await first.switchOn();
  await first.account.journal.endRun();
  const preview = beginRun({ service, run: up(2, "preview") });
  expect(await preview.renewals.check(owner, inputs, given())).toMatchObject({ isKept: true });
  await preview.account.journal.endRun();
  return { service, inputs, state, goOn: () => beginRun({ service, run: up(2, "update") }) };
}

test("207: what another up has switched off is not switched on by an up whose preview showed no change", async () => {
  const { service, inputs, state, goOn } = await waitUnchanged();
  const other = beginRun({ service, run: up(3, "update") });
  const off = await other.renewals.check(owner, inputs, given({ autoExtend: false }));
  const offState = await other.renewals.update(state, off.checked);
  await other.account.journal.endRun();
  const late = goOn();
  const { checked } = await late.renewals.check(owner, off.checked, given());
  await failureOf(late.renewals.update(offState, checked));
  expect(late.renewing()).toEqual({});
});

test("207: nor what a destroy has switched off", async () => {
  const { service, state, goOn } = await waitUnchanged();
  const destroy = beginRun({ service, run: { ...up(3, "update"), command: "other" } });
  await destroy.renewals.delete(state);
  await destroy.account.journal.endRun();
  const late = goOn();
  await failureOf(late.switchOn());
  expect(late.renewing()).toEqual({});
});

test("switching off needs no preview", async () => {
  const first = beginRun();
  const { state } = await first.switchOn();
  const preview = beginRun({ service: first.service, run: command("preview", 1) });
  await preview.plan();
  const up = update(preview);
  await up.renewals.update(state, await up.plan({ autoExtend: false }));
  expect(up.renewing()).toEqual({});
});

test("fewer proxies than the newest preview showed are extended", async () => {
  const preview = beginRun({ run: command("preview", 1) });
  await preview.plan();
  const up = update(preview);
  await up.switchOn({ ipAddressIds: ["ip-2"] });
  expect(up.renewing()).toEqual({ "ip-2": 30 });
});

test("a preview that was carried out says nothing of the next switch", async () => {
  const preview = beginRun({ run: command("preview", 1) });
  await preview.plan();
  const { state } = await update(preview).switchOn();
  const next = beginRun({ service: preview.service, run: command("up", 3) });
  await next.renewals.update(state, await next.plan({ rentPeriodDays: 90 }));
  expect(next.renewing()).toEqual({ "ip-1": 90, "ip-2": 90 });
});

test("what is taken out of the set goes off without a preview, also if the journal can't be read", async () => {
  const first = beginRun();
  const { inputs, state } = await first.switchOn({ ipAddressIds: ["ip-1", "ip-2", "ip-3"] });
  const preview = beginRun({ service: first.service, run: command("preview", 1) });
  await preview.renewals.check(owner, inputs, given({ ipAddressIds: ["ip-1", "ip-2", "ip-3"] }));
  await preview.account.journal.putAway();

  const up = update(preview);
  const fewer = await up.renewals.check(owner, inputs, given());
  const next = await up.renewals.update(state, fewer.checked);
  expect(up.renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });

  const blind = beginRun({ service: first.service, run: command("up", 3) });
  blind.account.journal.previewed.ofStack = async () => {
    throw new Error("the journal is away");
  };
  const another = given({ ipAddressIds: ["ip-1", "ip-4"] });
  const { checked } = await blind.renewals.check(owner, fewer.checked, another);
  const { message } = await failureOf(blind.renewals.update(next, checked));
  expect(message).toContain("the journal is away");
  expect(blind.renewing()).toEqual({ "ip-1": 30 });
});

test("where all is on already, nothing is switched, and no preview is asked for", async () => {
  const preview = beginRun({ run: command("preview", 1) });
  await preview.plan({ autoExtend: false });
  await preview.account.journal.putAway();
  for (const id of ["ip-1", "ip-2"]) toggle(preview.service, id, true, 30);
  const { state } = await update(preview).switchOn();
  expect(state.autoExtend).toBe(true);
});

test("a preview that could not know the proxies has shown the period", async () => {
  const preview = beginRun({ run: command("preview", 1) });
  await preview.renewals.check(owner, undefined, given({}, "ipAddressIds"));
  await preview.account.journal.putAway();
  const up = update(preview);
  expect(await failureOf(up.switchOn({ rentPeriodDays: 90 }))).toMatchObject({
    code: "NOT_PLANNED",
  });
  expect(up.renewing()).toEqual({});
});

test("a preview without a price says so, and permits none", async () => {
  const preview = beginRun({ run: command("preview", 1) });
  preview.service.calculated = { price: null };
  const { lines } = await preview.renewals.check(owner, undefined, given());
  expect(lines?.join()).toContain("at a price that the service does not tell");
  const untold = update(preview);
  await untold.switchOn();
  for (const id of ["ip-1", "ip-2"]) toggle(preview.service, id, false, 0);

  const again = beginRun({ service: preview.service, run: command("preview", 3) });
  await again.plan();
  preview.service.calculated = {};
  const up = update(preview);
  expect(await failureOf(up.switchOn())).toMatchObject({ code: "NOT_PLANNED" });
  expect(up.renewing()).toEqual({});
});

test("where the service tells no price any more, the refusal says so", async () => {
  const preview = beginRun({ run: command("preview", 1) });
  await preview.plan();
  preview.service.calculated = { price: null };
  const { message } = await failureOf(update(preview).switchOn());
  expect(message).toContain("the service now asks no price");
});

test("173: a preview that was made while the run went on binds the next one, and so does one that showed nothing", async () => {
  const shown = beginRun({ run: command("preview", 1) });
  const { service } = shown;
  await shown.plan();
  const up = update(shown);
  const inputs = await up.plan();
  // It looks what binds it, and waits for another resource.
  await up.account.journal.previewed.ofStack(owner);
  const newest = beginRun({ service, run: command("preview", 3), besideOthers: true });
  await newest.plan({ ipAddressIds: ["ip-1"] });
  const state = await up.renewals.create(inputs);
  const more = given({ ipAddressIds: ["ip-1", "ip-2", "ip-3"] });
  const next = beginRun({ service, run: command("up", 4) });
  const { checked } = await next.renewals.check(owner, inputs, more);
  expect(await failureOf(next.renewals.update(state, checked))).toMatchObject({
    message: expect.stringContaining("showed another automatic extension"),
  });

  const none = beginRun({ service, run: command("preview", 5) });
  await none.plan({ autoExtend: false });
  await none.account.journal.putAway();
  const off = beginRun({ service, run: command("up", 6) });
  await off.account.journal.previewed.ofStack(owner);
  const offInputs = await off.plan({ autoExtend: false });
  const offState = await off.renewals.update(state, offInputs);
  const again = beginRun({ service, run: command("up", 7) });
  const wanted = await again.renewals.check(owner, offInputs, given());
  expect(await failureOf(again.renewals.update(offState, wanted.checked))).toMatchObject({
    message: expect.stringContaining("showed no automatic extension"),
  });
  expect(again.renewing()).toEqual({});
});

test("208: a run that switches off does not carry out what a preview has shown, also if it switches another resource's on", async () => {
  const first = beginRun();
  const { service } = first;
  const { inputs, state } = await first.switchOn({ ipAddressIds: ["ip-3"] });
  const other = `${owner}-other`;
  const beside = given({ ipAddressIds: ["ip-4"] });
  const preview = beginRun({ service, run: command("preview", 1) });
  await preview.renewals.check(owner, inputs, given());
  await preview.renewals.check(other, undefined, beside);
  await preview.account.journal.putAway();

  const up = update(preview);
  await up.renewals.create((await up.renewals.check(other, undefined, beside)).checked);
  const off = given({ ipAddressIds: ["ip-3"], autoExtend: false });
  const { checked: offInputs } = await up.renewals.check(owner, inputs, off);
  const offState = await up.renewals.update(state, offInputs);
  await up.account.journal.endRun();

  const next = beginRun({ service, run: command("up", 3) });
  const dear = given({ ipAddressIds: ["ip-1", "ip-2", "ip-3"], rentPeriodDays: 90 });
  const { checked } = await next.renewals.check(owner, offInputs, dear);
  const { message } = await failureOf(next.renewals.update(offState, checked));
  expect(message).toContain("showed another automatic extension");
  expect(next.renewing()).toEqual({ "ip-4": 30 });
});

test("177: fewer proxies than the newest preview showed are not extended at a higher price for each", async () => {
  const preview = beginRun({ run: command("preview", 1) });
  await preview.plan({ ipAddressIds: ["ip-1", "ip-2", "ip-3", "ip-4"] });
  preview.service.extensionPrice = 4;
  const up = update(preview);
  expect(await failureOf(up.switchOn({ ipAddressIds: ["ip-2"] }))).toMatchObject({
    code: "PRICE_ROSE",
  });
  expect(up.renewing()).toEqual({});
});

test("226: a preview binds its checkout also after another one, which was shown nothing, has switched its own proxies on", async () => {
  const preview = beginRun({ run: command("preview", 1), project: "/here" });
  const { service } = preview;
  await preview.plan();
  const there = beginRun({ service, run: command("up", 2), project: "/there" });
  await there.switchOn({ ipAddressIds: ["ip-1"] });
  await there.account.journal.endRun();
  const other = { ipAddressIds: ["ip-2", "ip-3", "ip-4"], rentPeriodDays: 90 };
  const here = beginRun({ service, run: command("up", 3), project: "/here" });
  expect(await failureOf(here.switchOn(other))).toMatchObject({ code: "NOT_PLANNED" });
  expect(here.renewing()).toEqual({ "ip-1": 30 });
  // The other one has carried out what it was bound by. If it is this one, moved, it goes on.
  const again = beginRun({ service, run: command("up", 4), project: "/there" });
  await again.switchOn(other);
  expect(again.renewing()).toEqual({ "ip-1": 30, "ip-2": 90, "ip-3": 90, "ip-4": 90 });
});

test("227: jobs of one stack that get either of two folders switch on what the newest preview showed, and nothing else", async () => {
  const preview = beginRun({ run: command("preview", 1), project: "/builds/1" });
  const { service } = preview;
  await preview.plan();
  const first = beginRun({ service, run: command("up", 2), project: "/builds/2" });
  const { inputs, state } = await first.switchOn();
  await first.account.journal.endRun();
  const next = beginRun({ service, run: command("preview", 3), project: "/builds/2" });
  await next.renewals.check(owner, inputs, given({ rentPeriodDays: 90 }));
  await next.account.journal.putAway();

  const change = async (number: number, args: object) => {
    const up = beginRun({ service, run: command("up", number), project: "/builds/1" });
    const { checked } = await up.renewals.check(owner, inputs, given(args));
    const done = await up.renewals.update(state, checked).catch((error: Error) => error);
    await up.account.journal.endRun();
    return done;
  };
  const refused = await change(4, { ipAddressIds: ["ip-1", "ip-2", "ip-3"] });
  expect(refused instanceof Error && refused.message).toContain("NOT_PLANNED");
  expect(await change(5, { rentPeriodDays: 90 })).toMatchObject({ rentPeriodDays: 90 });
  expect(next.renewing()).toEqual({ "ip-1": 90, "ip-2": 90 });
});

test("226: where it is not written down from where a preview was carried out, it binds no checkout any more", async () => {
  const preview = beginRun({ run: command("preview", 1) });
  await preview.plan();
  const up = update(preview);
  const { previewed } = up.account.journal;
  const { ofStack } = previewed;
  previewed.ofStack = async (asked) =>
    (await ofStack(asked)).map((shown) => ({
      ...shown,
      plans: new Map([...shown.plans].map(([of, plan]) => [of, { ...plan, isOver: true }])),
    }));
  await up.switchOn({ rentPeriodDays: 90 });
  expect(up.renewing()).toEqual({ "ip-1": 90, "ip-2": 90 });
});

test("211: a preview binds also after another checkout has carried out what its own one has shown", async () => {
  const preview = beginRun({ run: command("preview", 1), project: "/here" });
  const { service } = preview;
  await preview.plan();
  const other = beginRun({ service, run: command("preview", 2), project: "/there" });
  await other.plan({ ipAddressIds: ["ip-3"] });
  const there = beginRun({ service, run: command("up", 3), project: "/there" });
  await there.switchOn({ ipAddressIds: ["ip-3"] });
  const here = beginRun({ service, run: command("up", 4), project: "/here" });
  expect(await failureOf(here.switchOn({ rentPeriodDays: 90 }))).toMatchObject({
    code: "NOT_PLANNED",
  });
});
