import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { PreviewedPlans, RunIdentity } from "../../../provider/core/ports.ts";
import { notePlan } from "../../../provider/core/spending/previewed-price.ts";
import type { Quote } from "../../../provider/core/spending/quote.ts";
import { edit, planEdit } from "../support/edits-under-test.ts";
import { beginRun, failureOf, given, ownerOf } from "../support/orders-under-test.ts";

/** A command that is typed once for each number. */
function command(name: "preview" | "up", number: number): RunIdentity {
  const phase = () => (name === "preview" ? "preview" : "update");
  return { run: undefined, command: name, commandId: String(number), phase };
}

describe("what a check has planned", () => {
  const notes = (quote: Quote, waitsForNotes = false) => {
    const noted = Promise.withResolvers<void>();
    const later: object[] = [];
    const previewed = {
      note: () => noted.promise,
      noteLater: (plan, isNeeded) => void later.push({ ...plan, isNeeded }),
    } as Partial<PreviewedPlans> as PreviewedPlans;
    const note = notePlan(
      { journal: { previewed, sequenceAtBeginning: async () => 1 }, waitsForNotes },
      "fleet",
      checked(quote),
    );
    return { note, written: noted.resolve, later };
  };
  const checked = (quote: Quote) => ({ failures: [], checked: { requestId: "request-1", quote } });
  const isOver = (work: Promise<void>) =>
    Promise.race([work.then(() => true), setImmediate(false)]);

  test("is written before the plan shows a purchase", async () => {
    const { note, written } = notes({ effect: "buy", quantity: 5, price: 7, currency: "USD" });
    expect(await isOver(note)).toBe(false);
    written();
    await note;
  });

  test("is written while the plan goes on if the host waits for it", async () => {
    const { note, later } = notes({ effect: "buy", quantity: 5, price: 7, currency: "USD" }, true);
    expect(await isOver(note)).toBe(true);
    const needed = { owner: "fleet", effect: "buy", price: 7, isNeeded: true };
    expect(later).toEqual([expect.objectContaining(needed)]);
  });

  test("is written while the plan goes on if it is open and has no cap: it forbids nothing", async () => {
    expect(await isOver(notes({ effect: "unknown" }).note)).toBe(true);
    expect(await isOver(notes({ effect: "unknown", priceAtMost: 9 }).note)).toBe(false);
  });

  test("is written while the plan goes on if nothing is bought", async () => {
    const { note, later } = notes({ effect: "none" });
    expect(await isOver(note)).toBe(true);
    const lost = { owner: "fleet", effect: "none", isNeeded: false };
    expect(later).toEqual([expect.objectContaining(lost)]);
  });
});

describe("67: a resource that the newest preview did not contain", () => {
  test("is not bought by an update without a preview, and is bought after one", async () => {
    const first = beginRun({ run: command("preview", 1) });
    const { service } = first;
    await first.plan("shown");
    const up = beginRun({ service, run: command("up", 2) });
    const refusal = await failureOf(up.buy("added"));
    expect(refusal.code).toBe("NOT_PLANNED");
    expect(refusal.message).toContain("showed no purchase for added, and now 5 would be bought");
    expect(service.orders).toEqual([]);
    const second = beginRun({ service, run: command("preview", 3) });
    await second.plan("shown");
    await second.plan("added");
    await beginRun({ service, run: command("up", 4) }).buy("added");
    expect(service.orders).toHaveLength(1);
  });

  test("is bought if the stack was never previewed, or if what the preview showed was bought since", async () => {
    const first = beginRun({ run: command("up", 1) });
    const { service } = first;
    await first.buy("early");
    await beginRun({ service, run: command("preview", 2) }).plan("shown");
    await beginRun({ service, run: command("up", 3) }).buy("shown");
    await beginRun({ service, run: command("up", 4) }).buy("added");
    expect(service.orders).toHaveLength(3);
  });
});

describe("99: the newest preview binds, also by what it does not contain", () => {
  /** A preview shows two resources, and a later one only the first of them. */
  async function previewTwice(...[later]: Parameters<typeof beginRun>) {
    const first = beginRun({ run: command("preview", 1) });
    const { service } = first;
    await first.plan("shown");
    await first.plan("removed");
    await beginRun({ service, run: command("preview", 2), ...later }).plan("shown");
    return service;
  }

  test("a resource that an older preview contained is not bought", async () => {
    const service = await previewTwice();
    const up = beginRun({ service, run: command("up", 3) });
    const refusal = await failureOf(up.buy("removed"));
    expect(refusal.code).toBe("NOT_PLANNED");
    expect(refusal.message).toContain("showed no purchase for removed");
    expect(service.orders).toEqual([]);
    await up.buy("shown");
    expect(service.orders).toHaveLength(1);
  });

  test("a preview of another checkout does not speak for this one, and may forbid", async () => {
    const service = await previewTwice({ project: "/other" });
    const up = beginRun({ service, run: command("up", 3) });
    expect(await failureOf(up.buy("removed"))).toMatchObject({ code: "NOT_PLANNED" });
    const other = beginRun({ service, run: command("up", 4), project: "/other" });
    expect(await failureOf(other.buy("removed"))).toMatchObject({ code: "NOT_PLANNED" });
    const again = beginRun({ service, run: command("preview", 5) });
    await again.plan("shown");
    await again.plan("removed");
    expect(await failureOf(other.buy("removed"))).toMatchObject({ code: "NOT_PLANNED" });
    await beginRun({ service, run: command("up", 6) }).buy("removed");
    expect(service.orders).toHaveLength(1);
  });

  test("a moved checkout is bound by the previews of the place where it was", async () => {
    const service = await previewTwice();
    const up = beginRun({ service, run: command("up", 3), project: "/moved" });
    expect(await failureOf(up.buy("removed"))).toMatchObject({ code: "NOT_PLANNED" });
    await up.buy("shown");
    expect(service.orders).toHaveLength(1);
  });

  test("a checkout that was never previewed carries out what was shown where it was", async () => {
    const first = beginRun({ run: command("preview", 1) });
    const { service } = first;
    await first.plan("shown");
    await beginRun({ service, run: command("up", 2), project: "/moved" }).buy("shown");
    await beginRun({ service, run: command("up", 3), project: "/moved" }).buy("added");
    expect(service.orders).toHaveLength(2);
  });

  test("of two previews that go on at the same time both bind", async () => {
    const first = beginRun({ run: command("preview", 1) });
    const { service } = first;
    await first.plan("removed");
    const second = beginRun({ service, run: command("preview", 2), besideOthers: true });
    await second.plan("shown");
    await first.plan("shown");
    const up = beginRun({ service, run: command("up", 3) });
    expect(await failureOf(up.buy("removed"))).toMatchObject({ code: "NOT_PLANNED" });
    await up.buy("shown");
    expect(service.orders).toHaveLength(1);
  });

  test("the preview inside the same command has shown what others did not contain", async () => {
    const inside = beginRun({ run: { ...command("up", 1), phase: () => "preview" } });
    const { service } = inside;
    await inside.plan("fleet");
    await beginRun({ service, run: command("preview", 2), besideOthers: true }).plan("other");
    await beginRun({ service, run: command("up", 1), besideOthers: true }).buy("fleet");
    expect(service.orders).toHaveLength(1);
  });

  test("the preview inside another command can't permit what `pulumi preview` did not contain", async () => {
    const service = await previewTwice();
    const refused = { ...command("up", 3), phase: () => "preview" as const };
    await beginRun({ service, run: refused }).plan("removed");
    const up = beginRun({ service, run: command("up", 4) });
    expect(await failureOf(up.buy("removed"))).toMatchObject({ code: "NOT_PLANNED" });
    expect(service.orders).toEqual([]);
  });

  test("a preview that was carried out binds no more, and an older one still does", async () => {
    const service = await previewTwice();
    await beginRun({ service, run: command("up", 3) }).buy("shown");
    const up = beginRun({ service, run: command("up", 4) });
    expect(await failureOf(up.buy("removed", { quantity: 6 }))).toMatchObject({
      code: "NOT_PLANNED",
    });
    await up.buy("removed");
    expect(service.orders).toHaveLength(2);
  });

  test("what another process of the same run has bought carries no preview out", async () => {
    const first = beginRun({ run: command("preview", 1) });
    const { service } = first;
    await first.plan("shown");
    const run = { ...command("up", 2), run: "127.0.0.1:7777" };
    const one = beginRun({ service, run });
    const two = beginRun({ service, run, besideOthers: true });
    const [shown, added] = [await one.plan("shown"), await two.plan("added")];
    await one.orders.create(shown);
    expect(await failureOf(two.orders.create(added))).toMatchObject({ code: "NOT_PLANNED" });
    expect(service.orders).toHaveLength(1);
  });

  test("an order of another request, bought by a preview of its own, does not carry out a newer preview", async () => {
    const inside = beginRun({ run: { ...command("up", 1), phase: () => "preview" } });
    const { service } = inside;
    await inside.plan("fleet");
    await beginRun({ service, run: command("preview", 2) }).plan("fleet", { quantity: 10 });
    const bought = await beginRun({
      service,
      run: { ...command("up", 1), appliesPlanFile: true },
    }).buy("fleet");
    service.unitPrice = 14;
    const merged = beginRun({ service, run: command("up", 3) });
    const grown = given({ quantity: 10 });
    const { checked } = await merged.orders.check(ownerOf("fleet"), bought.inputs, grown);
    const { code } = await failureOf(
      merged.orders.update(bought.state, checked as typeof bought.inputs),
    );
    expect(code).toBe("NOT_PLANNED");
    expect(service.orders).toHaveLength(1);
  });

  test("a run with a plan file is bound by the preview inside its own command alone", async () => {
    const inside = beginRun({ run: { ...command("up", 1), phase: () => "preview" } });
    const { service } = inside;
    await inside.plan("fleet");
    await beginRun({ service, run: command("preview", 2), besideOthers: true }).plan("other");
    const run = { ...command("up", 1), appliesPlanFile: true };
    const up = beginRun({ service, run, besideOthers: true });
    const { code } = await failureOf(up.buy("fleet", { quantity: 6 }));
    expect(code).toBe("NOT_PLANNED");
    await up.buy("fleet");
    expect(service.orders).toHaveLength(1);
  });
});

test("174: a preview that refused an edit has shown no purchase", async () => {
  const first = beginRun({ run: command("up", 1) });
  const { service } = first;
  const { inputs, state } = await first.buy("fleet");
  const preview = beginRun({ service, run: command("preview", 2) });
  const edited = given({ country: "DEU" });
  const { checked } = await preview.orders.check(ownerOf("fleet"), inputs, edited);
  const { code } = await failureOf(preview.orders.diff(state, checked, new Set()));
  expect(code).toBe("EDIT_REFUSED");

  const up = beginRun({ service, run: command("up", 3) });
  const replacing = given({ country: "DEU", allowReplacement: true });
  const old = await up.orders.check(ownerOf("fleet"), inputs, replacing);
  expect(await up.orders.diff(state, old.checked, new Set())).toMatchObject({ kind: "replace" });
  const fresh = await up.orders.check(ownerOf("fleet"), undefined, replacing);
  expect(await failureOf(up.orders.create(fresh.checked))).toMatchObject({ code: "NOT_PLANNED" });
  expect(service.orders).toHaveLength(1);
});

test("225: a purchase that its preview did not show is not made because another checkout has paid for its own resource of that name", async () => {
  const first = beginRun({ run: command("up", 1), project: "/here" });
  const { service } = first;
  const five = await first.buy();
  await first.account.journal.endRun();
  service.unitPrice = 10;
  const preview = beginRun({ service, run: command("preview", 2), project: "/here" });
  const shown = await planEdit(preview, five, { quantity: 10, rentPeriodDays: 90 });
  expect(shown.planned.quote).toMatchObject({ effect: "topUp", quantity: 5, price: 50 });
  await preview.account.journal.putAway();

  service.unitPrice = 1.4;
  const beside = { quantity: 1, country: "DEU", goal: "another" };
  const begin = (run: RunIdentity) =>
    beginRun({
      ...{ service, run, project: "/there" },
      settings: { foreignOrders: new Set(["7000"]) },
    });
  const theirs = begin(command("preview", 3));
  await theirs.plan("fleet", beside);
  await theirs.account.journal.putAway();
  const there = begin(command("up", 4));
  const one = await there.buy("fleet", beside);
  await there.account.journal.endRun();
  const unchanged = begin(command("up", 5));
  expect((await planEdit(unchanged, one, beside)).change).toBe("none");
  await unchanged.account.journal.endRun();

  const up = beginRun({
    ...{ service, run: command("up", 6), project: "/here" },
    settings: { foreignOrders: new Set(["7001"]) },
  });
  const { planned } = await planEdit(up, five, { quantity: 9, rentPeriodDays: 30 });
  expect(planned.requestId).not.toBe(shown.planned.requestId);
  expect(await failureOf(up.orders.update(five.state, planned))).toMatchObject({
    code: "NOT_PLANNED",
  });
  expect(service.orders).toHaveLength(2);
});

test("227: jobs of one stack that get either of two folders buy what the newest preview showed, and nothing else", async () => {
  const preview = beginRun({ run: command("preview", 1), project: "/builds/1" });
  const { service } = preview;
  await preview.plan();
  await preview.account.journal.putAway();
  const first = beginRun({ service, run: command("up", 2), project: "/builds/2" });
  const five = await first.buy();
  await first.account.journal.endRun();
  const next = beginRun({ service, run: command("preview", 3), project: "/builds/2" });
  await planEdit(next, five, { quantity: 8 });
  await next.account.journal.putAway();

  const other = beginRun({ service, run: command("up", 4), project: "/builds/1" });
  const { planned } = await planEdit(other, five, { quantity: 9 });
  expect(await failureOf(other.orders.update(five.state, planned))).toMatchObject({
    code: "NOT_PLANNED",
  });
  await other.account.journal.endRun();
  const last = beginRun({ service, run: command("up", 5), project: "/builds/1" });
  await edit(last, five, { quantity: 8 });
  expect(service.orders).toHaveLength(2);
});

test("176: a preview binds after a purchase that was made while this machine's clock was ahead", async () => {
  const first = beginRun({ run: command("up", 1) });
  const { service } = first;
  first.clock.advance(5 * 3_600_000);
  const { inputs, state } = await first.buy("fleet");
  await first.account.journal.endRun();
  const preview = beginRun({ service, run: command("preview", 2) });
  await preview.orders.check(ownerOf("fleet"), inputs, given({ quantity: 8 }));
  const up = beginRun({ service, run: command("up", 3) });
  const { checked } = await up.orders.check(ownerOf("fleet"), inputs, given({ quantity: 10 }));
  await up.orders.diff(state, checked, new Set());
  expect(await failureOf(up.orders.update(state, checked))).toMatchObject({ code: "NOT_PLANNED" });
  expect(service.orders).toHaveLength(1);
});
