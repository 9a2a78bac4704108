import { describe, expect, test } from "vitest";
import { openPreviewedPlans } from "../../../provider/core/journal/previewed-plans.ts";
import { type RunIdentity, unknownRun } from "../../../provider/core/ports.ts";
import type { PlanTrace } from "../../../provider/core/records/previewed-plan.ts";
import { troubleOf } from "../../journals/file/folders.ts";
import { makeDocumentBench } from "../support/journal-documents.ts";

const plan: PlanTrace = {
  ...{ owner: "fleet", requestId: "request-1", effect: "buy" },
  ...{ quantity: 5, price: 7, currency: "USD" },
};

const HOUR_MS = 60 * 60 * 1000;

/** A part of `pulumi up`, or of `pulumi preview`. */
function identity(
  command: RunIdentity["command"],
  commandId: string,
  phase: "preview" | "update" | "unknown",
): RunIdentity {
  return { run: undefined, command, commandId, phase: () => phase };
}

/** Two processes that use one journal, and the store's time. */
function makeProcesses() {
  const { raw, clock, open } = makeDocumentBench();
  const process = (runId: string, of = unknownRun) =>
    openPreviewedPlans(open(), runId, of, 2 * HOUR_MS);
  return { raw, clock, preview: process("preview"), up: process("up"), process };
}

describe("what a preview has shown", () => {
  test("binds, and says when it was shown", async () => {
    const { preview, up, clock } = makeProcesses();
    await preview.note(plan);
    expect(await up.bindingOn("fleet")).toEqual([{ ...plan, at: clock.now().toISOString() }]);
  });

  test("67: is known of a resource of the stack that it did not contain", async () => {
    const { process, up, clock } = makeProcesses();
    const preview = process("shown", identity("preview", "1", "preview"));
    const owner = (stack: string, name: string) => `urn:pulumi:${stack}::fleet::type::${name}`;
    await preview.note({ ...plan, owner: owner("dev", "fleet") });
    expect(await up.without(owner("dev", "other"))).toMatchObject([
      { owner: owner("dev", "fleet") },
    ]);
    expect(await up.without(owner("dev", "fleet"))).toEqual([]);
    expect(await up.without(owner("live", "other"))).toEqual([]);
    clock.advance(2 * HOUR_MS + 1);
    expect(await up.without(owner("dev", "other"))).toEqual([]);
  });

  test("68: binds in its newest version, whichever process showed that, and be it that nothing is bought", async () => {
    const { preview, up, clock, process } = makeProcesses();
    await preview.note(plan);
    clock.advance(1_000);
    await process("later").note({ ...plan, price: 9 });
    clock.advance(1_000);
    await preview.note({ owner: "fleet", requestId: "request-1", effect: "none" });
    expect(await up.bindingOn("fleet")).toMatchObject([{ effect: "none" }]);
  });

  test("does not bind the process that showed it", async () => {
    const { preview } = makeProcesses();
    await preview.note(plan);
    expect(await preview.bindingOn("fleet")).toEqual([]);
  });

  test.each([
    [2 * HOUR_MS, 7],
    [2 * HOUR_MS + 1, undefined],
  ])("binds for two hours: after %i ms %s", async (ms, price) => {
    const { preview, up, clock } = makeProcesses();
    await preview.note(plan);
    clock.advance(ms);
    expect((await up.bindingOn("fleet"))[0]?.price).toBe(price);
  });

  test("binds for two hours by the store's clock, on a machine that is a day ahead as well", async () => {
    const { open } = makeDocumentBench();
    const ahead = makeDocumentBench().clock;
    ahead.advance(24 * HOUR_MS);
    await openPreviewedPlans(open(ahead), "preview", unknownRun, 2 * HOUR_MS).note(plan);
    const up = openPreviewedPlans(open(), "up", unknownRun, 2 * HOUR_MS);
    expect(await up.bindingOn("fleet")).toMatchObject([{ price: 7 }]);
  });

  test("stops binding in the middle of a run as well", async () => {
    const { preview, up, clock } = makeProcesses();
    await preview.note(plan);
    expect(await up.bindingOn("fleet")).toMatchObject([{ price: 7 }]);
    clock.advance(3 * HOUR_MS);
    expect(await up.bindingOn("fleet")).toEqual([]);
  });

  test("is told in full by many checks at the same time, in few writes", async () => {
    const { preview, up, raw } = makeProcesses();
    const owners = Array.from({ length: 50 }, (_, n) => `fleet-${n}`);
    await Promise.all(owners.map((owner) => preview.note({ ...plan, owner })));
    expect(raw.historyOf("previews.json").length).toBeLessThan(4);
    for (const owner of owners) expect(await up.bindingOn(owner)).toMatchObject([{ owner }]);
    expect([...(await up.besides("fleet-3")).keys()]).toEqual(owners);
    expect([...(await up.besides("other")).keys()]).toEqual([]);
  });

  test("binds in its newest version also if the clock was set back between the two", async () => {
    const { raw, open, clock } = makeDocumentBench();
    const process = (runId: string) => openPreviewedPlans(open(), runId, unknownRun, 2 * HOUR_MS);
    await process("first").note(plan);
    clock.advance(-1_000);
    await process("second").note({ ...plan, price: 9 });
    expect(await process("up").bindingOn("fleet")).toMatchObject([{ price: 9 }]);
    expect(raw.historyOf("previews.json")).toHaveLength(2);
  });

  test("is swept when it is old, and only then", async () => {
    const { raw, preview, clock, process } = makeProcesses();
    await process("old").note(plan);
    clock.advance(1.5 * HOUR_MS);
    await preview.note(plan);
    expect(raw.historyOf("previews.json").at(-1)).toContain('"old"');
    clock.advance(HOUR_MS);
    await process("newest").note(plan);
    expect(raw.historyOf("previews.json").at(-1)).not.toContain('"old"');
    expect(raw.historyOf("previews.json").at(-1)).toContain('"preview"');
  });

  test.each([
    ["can't be read", (raw: Raw) => raw.force("previews.json", '{"version":1,"pl')],
    ["is refused by the store", async (raw: Raw) => raw.expect("refused")],
  ])("that %s is told: it may forbid what is about to be bought", async (_how, spoil) => {
    const { raw, preview, up } = makeProcesses();
    await preview.note(plan);
    await spoil(raw);
    const { reason, message } = await troubleOf(up.bindingOn("fleet"));
    expect(reason).toBe("unavailable");
    expect(message).toContain("what previews have shown can't be read");
  });
});

type Raw = ReturnType<typeof makeProcesses>["raw"];

describe("a process that applies its plans", () => {
  test("67: has shown nothing: a refused run must not pave the way for the next one", async () => {
    const { preview, up, process } = makeProcesses();
    await preview.note(plan);
    const refused = process("refused");
    await refused.note({ ...plan, price: 8 });
    await refused.applies();
    await refused.note({ ...plan, price: 9 });
    expect(await up.bindingOn("fleet")).toMatchObject([{ price: 7 }]);
  });

  test("67: has shown nothing, also where it is known from the beginning to be one", async () => {
    const { preview, up, process } = makeProcesses();
    await preview.note(plan);
    await process("update", identity("up", "1", "update")).note({ ...plan, price: 9 });
    expect(await up.bindingOn("fleet")).toMatchObject([{ price: 7 }]);
  });
});

describe("the preview that is a part of `pulumi up`", () => {
  test("binds that very command; to a later one it permits nothing, and may forbid", async () => {
    const { preview, clock, process } = makeProcesses();
    await preview.note(plan);
    clock.advance(1_000);
    await process("first", identity("up", "1", "preview")).note({ ...plan, price: 9 });
    const same = process("first-update", identity("up", "1", "update"));
    expect(await same.bindingOn("fleet")).toMatchObject([{ price: 9 }]);
    const later = process("second-update", identity("up", "2", "update"));
    expect(await later.bindingOn("fleet")).toMatchObject([{ price: 9 }, { price: 7 }]);
  });

  test("67: forbids no other command what it did not contain", async () => {
    const { process } = makeProcesses();
    const owner = "stack::project::type::fleet";
    await process("first", identity("up", "1", "preview")).note({ ...plan, owner });
    const same = process("first-update", identity("up", "1", "update"));
    expect(await same.without("stack::project::type::other")).toMatchObject([{ owner }]);
    const later = process("second-update", identity("up", "2", "update"));
    expect(await later.without("stack::project::type::other")).toEqual([]);
  });

  test("is not told from others where the command can't be seen", async () => {
    const { clock, preview, process } = makeProcesses();
    await preview.note(plan);
    clock.advance(1_000);
    await process("first", identity(undefined, "", "unknown")).note({ ...plan, price: 9 });
    expect(await process("later").bindingOn("fleet")).toMatchObject([{ price: 9 }]);
  });
});

test("a preview that can't be written goes on, and a purchase that can't look does not", async () => {
  const { preview, up, raw } = makeProcesses();
  raw.expect("refused", "refused");
  await preview.note(plan);
  await preview.note(plan);
  raw.expect("refused");
  expect((await troubleOf(up.bindingOn("fleet"))).reason).toBe("unavailable");
});
