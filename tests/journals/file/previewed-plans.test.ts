import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type RunIdentity, unknownRun } from "../../../provider/core/ports.ts";
import type { PlanTrace } from "../../../provider/core/records/previewed-plan.ts";
import { createPreviewedPlans } from "../../../provider/journals/file/previewed-plans.ts";
import { createManualClock } from "../../core/support/account-under-test.ts";
import { makeFolder, troubleOf } from "./folders.ts";

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

/** Two processes that use one journal, and their time. */
function makeProcesses() {
  const folder = makeFolder();
  const clock = createManualClock();
  const process = (runId: string, of = unknownRun) =>
    createPreviewedPlans(folder, runId, clock, of);
  return { folder, clock, preview: process("preview"), up: process("up"), process };
}

describe("what a preview has shown", () => {
  test("binds, and says when it was shown", async () => {
    const { preview, up, clock } = makeProcesses();
    await preview.note(plan);
    expect(await up.bindingOn("fleet")).toEqual([{ ...plan, at: clock.now().toISOString() }]);
    expect(await up.bindingOn("other")).toEqual([]);
  });

  test("binds in its newest version, whichever process showed that, and be it that nothing is bought", async () => {
    const { preview, up, clock, process } = makeProcesses();
    await preview.note(plan);
    clock.advance(1_000);
    await process("later").note({ ...plan, price: 9 });
    clock.advance(1_000);
    await preview.note({ owner: "fleet", requestId: "request-1", effect: "none" });
    expect(await up.bindingOn("fleet")).toMatchObject([{ effect: "none" }]);
  });

  test.each([
    ["a", "b"],
    ["b", "a"],
  ])(
    "binds in its newest version, where %s and then %s showed it in one tick of the disk's clock",
    async (first, second) => {
      const { folder, up, clock, process } = makeProcesses();
      await process(first).note(plan);
      clock.advance(1);
      await process(second).note({ ...plan, price: 9 });
      for (const name of [first, second]) {
        utimesSync(join(folder, "previews", `${name}.jsonl`), clock.now(), clock.now());
      }
      expect(await up.bindingOn("fleet")).toMatchObject([{ price: 9 }]);
    },
  );

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

  test("stops binding in the middle of a run as well", async () => {
    const { preview, up, clock } = makeProcesses();
    await preview.note(plan);
    expect(await up.bindingOn("fleet")).toMatchObject([{ price: 7 }]);
    clock.advance(3 * HOUR_MS);
    expect(await up.bindingOn("fleet")).toEqual([]);
  });

  test("binds as far as it was written: torn lines are none", async () => {
    const { folder, preview, up } = makeProcesses();
    await preview.note(plan);
    const lines = ["", "{", '{"owner":"fleet"}', `{"owner":"fleet","effect":"buy","price":"7"}`];
    writeFileSync(join(folder, "previews", "torn.jsonl"), lines.join("\n"));
    expect(await up.bindingOn("fleet")).toMatchObject([{ price: 7 }]);
  });

  test("is told in full by many checks at the same time", async () => {
    const { preview, up } = makeProcesses();
    const owners = Array.from({ length: 50 }, (_, n) => `fleet-${n}`);
    await Promise.all(owners.map((owner) => preview.note({ ...plan, owner })));
    for (const owner of owners) expect(await up.bindingOn(owner)).toMatchObject([{ owner }]);
    expect(await up.besides("fleet-3")).toEqual(new Set(owners));
    expect(await up.besides("other")).toEqual(new Set());
  });

  test("is swept when it is old, and only then", async () => {
    const { folder, preview, up, clock, process } = makeProcesses();
    await preview.note(plan);
    await process("old").note(plan);
    const seconds = clock.now().getTime() / 1000;
    const age = (name: string, s: number) => utimesSync(join(folder, "previews", name), s, s);
    age("preview.jsonl", seconds - 7_100);
    age("old.jsonl", seconds - 7_300);
    await up.bindingOn("fleet");
    expect(readdirSync(join(folder, "previews"))).toEqual(["preview.jsonl", "up.jsonl"]);
  });

  test("binds beside one that another process sweeps in this moment, and what is nobody's", async () => {
    const { folder, preview, up } = makeProcesses();
    await preview.note(plan);
    // The folder names it, and it is not there.
    symlinkSync("nowhere", join(folder, "previews", "swept.jsonl"));
    mkdirSync(join(folder, "previews", "folder.jsonl"));
    expect(await up.bindingOn("fleet")).toMatchObject([{ price: 7 }]);
  });

  test("that can't be read is told: it may forbid what is about to be bought", async () => {
    const { folder, preview, up } = makeProcesses();
    await preview.note(plan);
    symlinkSync("loop.jsonl", join(folder, "previews", "loop.jsonl"));
    const { reason, message } = await troubleOf(up.bindingOn("fleet"));
    expect(reason).toBe("unavailable");
    expect(message).toContain("loop.jsonl");
  });
});

describe("a process that applies its plans", () => {
  test("has shown nothing: a refused run must not pave the way for the next one", async () => {
    const { preview, up, process } = makeProcesses();
    await preview.note(plan);
    const refused = process("refused");
    await refused.note({ ...plan, price: 8 });
    await refused.applies();
    await refused.note({ ...plan, price: 9 });
    expect(await up.bindingOn("fleet")).toMatchObject([{ price: 7 }]);
  });

  test("has shown nothing, also where it is known from the beginning to be one", async () => {
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

  test("is not told from others where the command can't be seen", async () => {
    const { clock, preview, process } = makeProcesses();
    await preview.note(plan);
    clock.advance(1_000);
    await process("first", identity(undefined, "", "unknown")).note({ ...plan, price: 9 });
    expect(await process("later").bindingOn("fleet")).toMatchObject([{ price: 9 }]);
  });
});

test("a preview whose folder can't be written goes on, and a purchase there does not", async () => {
  const file = join(makeFolder(), "file");
  writeFileSync(file, "");
  const previews = createPreviewedPlans(
    join(file, "journal"),
    "run-1",
    createManualClock(),
    unknownRun,
  );
  await previews.note(plan);
  await previews.note(plan);
  expect((await troubleOf(previews.bindingOn("fleet"))).reason).toBe("unavailable");
});
