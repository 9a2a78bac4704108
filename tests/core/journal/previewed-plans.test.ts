import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { openPreviewedPlans } from "../../../provider/core/journal/previewed-plans.ts";
import { type PreviewedPlans, type RunIdentity, unknownRun } from "../../../provider/core/ports.ts";
import type { PlanTrace, PreviewedPlan } from "../../../provider/core/records/previewed-plan.ts";
import { findBinding } from "../../../provider/core/spending/binding-previews.ts";
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

/** What a process reads and writes. */
function openFor(
  store: ReturnType<ReturnType<typeof makeDocumentBench>["open"]>,
  runId: string,
  identity = unknownRun,
  bindsMs = 2 * HOUR_MS,
) {
  return openPreviewedPlans(store, {
    runId,
    identity,
    project: "/project",
    scope: "",
    bindsMs,
  });
}

/** What the previews that bind have shown for an owner. */
async function boundBy(
  previewed: PreviewedPlans,
  owner: string,
): Promise<(PreviewedPlan | undefined)[]> {
  const previews = findBinding(await previewed.ofStack(owner), owner);
  return previews.map(({ plans }) => plans.get(owner));
}

/** Two processes that use one journal, and the store's time. */
function makeProcesses() {
  const { raw, clock, open } = makeDocumentBench();
  const process = (runId: string, of = unknownRun, bindsMs?: number) =>
    openFor(open(), runId, of, bindsMs);
  return { raw, clock, preview: process("preview"), up: process("up"), process };
}

describe("what a preview has shown", () => {
  test("binds, and says when it was shown", async () => {
    const { preview, up, clock } = makeProcesses();
    await preview.note(plan);
    expect(await boundBy(up, "fleet")).toEqual([{ ...plan, at: clock.now().toISOString() }]);
  });

  test("is written at once where much is shown in a row, and all of it before `written` is kept", async () => {
    const { raw, preview, up } = makeProcesses();
    const writes = [vi.spyOn(raw, "create"), vi.spyOn(raw, "replace")];
    const owners = Array.from({ length: 50 }, (_, index) => `fleet-${index}`);
    for (const owner of owners) void preview.note({ ...plan, owner });
    await preview.written();
    expect(writes.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1);
    for (const owner of owners) expect(await boundBy(up, owner)).toMatchObject([{ owner }]);
  });

  describe("where nobody waits for it", () => {
    const none = { requestId: "request-1", effect: "none" as const };
    const owners = Array.from({ length: 60 }, (_, index) => `fleet-${index}`);

    /** A preview of 60 resources, and how often it has written. */
    function previewMany() {
      const { raw, preview, up, process } = makeProcesses();
      const writes = [vi.spyOn(raw, "create"), vi.spyOn(raw, "replace")];
      const countWrites = () => writes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      return { preview, up, process, countWrites };
    }

    test("is written in few writes, and all of it before `written` is kept", async () => {
      const { preview, up, countWrites } = previewMany();
      for (const owner of owners) {
        preview.noteLater({ ...none, owner });
        // The engine plans one resource after the other.
        await setImmediate();
      }
      await preview.written();
      expect(countWrites()).toBe(4);
      for (const owner of owners) expect(await boundBy(up, owner)).toMatchObject([{ owner }]);
    });

    test("is written with what somebody waits for, and before it", async () => {
      const { preview, up, countWrites } = previewMany();
      preview.noteLater({ ...none, owner: "early" });
      preview.noteLater({ ...none, owner: "fleet" });
      await preview.note(plan);
      expect(countWrites()).toBe(1);
      expect(await boundBy(up, "fleet")).toMatchObject([{ effect: "buy" }]);
    });

    test("says at once that the preview began", async () => {
      const { preview, process, up } = previewMany();
      const nameOf = (name: string) => `urn:pulumi:dev::fleet::type::${name}`;
      preview.noteLater({ ...none, owner: nameOf("early") });
      await setImmediate();
      await process("shorter").note({ ...plan, owner: nameOf("fleet") });
      await preview.note({ ...plan, owner: nameOf("late") });
      const previews = await up.ofStack(nameOf("fleet"));
      expect(previews.map(({ firstWrite, lastWrite }) => [firstWrite, lastWrite])).toEqual([
        [1, 3],
        [2, 2],
      ]);
    });

    test("is not written by a process that applies its plans by then", async () => {
      const { preview, up } = previewMany();
      for (const owner of ["early", "fleet"]) preview.noteLater({ ...none, owner });
      await preview.applies();
      await preview.written();
      expect(await up.ofStack("fleet")).toEqual([]);
    });
  });

  test("67: is known of a resource of the stack that it did not contain", async () => {
    const { process, up, clock } = makeProcesses();
    const preview = process("shown", identity("preview", "1", "preview"));
    const owner = (stack: string, name: string) => `urn:pulumi:${stack}::fleet::type::${name}`;
    await preview.note({ ...plan, owner: owner("dev", "fleet") });
    expect(await boundBy(up, owner("dev", "other"))).toEqual([undefined]);
    expect(await boundBy(up, owner("dev", "fleet"))).toMatchObject([{ price: 7 }]);
    expect(await boundBy(up, owner("live", "other"))).toEqual([]);
    clock.advance(2 * HOUR_MS + 1);
    expect(await boundBy(up, owner("dev", "other"))).toEqual([]);
  });

  test("68: binds in its newest version, whichever process showed that, and be it that nothing is bought", async () => {
    const { preview, up, clock, process } = makeProcesses();
    await preview.note({ ...plan, price: 8 });
    await preview.note(plan);
    clock.advance(1_000);
    await process("later").note({ owner: "fleet", requestId: "request-1", effect: "none" });
    expect(await boundBy(up, "fleet")).toMatchObject([{ effect: "none" }]);
  });

  test("99: binds in each version that was shown at the same time", async () => {
    const { preview, up, clock, process } = makeProcesses();
    await preview.note(plan);
    clock.advance(1_000);
    await process("later").note({ ...plan, price: 9 });
    clock.advance(1_000);
    await preview.note({ owner: "fleet", requestId: "request-1", effect: "none" });
    expect(await boundBy(up, "fleet")).toMatchObject([{ effect: "none" }, { price: 9 }]);
  });

  test("does not bind the process that showed it", async () => {
    const { preview } = makeProcesses();
    await preview.note(plan);
    expect(await boundBy(preview, "fleet")).toEqual([]);
  });

  test.each([
    [2 * HOUR_MS, 7],
    [2 * HOUR_MS + 1, undefined],
  ])("binds for two hours: after %i ms %s", async (ms, price) => {
    const { preview, up, clock } = makeProcesses();
    await preview.note(plan);
    clock.advance(ms);
    expect((await boundBy(up, "fleet"))[0]?.price).toBe(price);
  });

  test("binds for two hours by the store's clock, on a machine that is a day ahead as well", async () => {
    const { open } = makeDocumentBench();
    const ahead = makeDocumentBench().clock;
    ahead.advance(24 * HOUR_MS);
    await openFor(open(ahead), "preview").note(plan);
    const up = openFor(open(), "up");
    expect(await boundBy(up, "fleet")).toMatchObject([{ price: 7 }]);
  });

  test("stops binding as a whole: what it showed first is not taken for what it did not contain", async () => {
    const { process, up, clock } = makeProcesses();
    const preview = process("shown", identity("preview", "1", "preview"));
    const [first, last] = ["stack::project::type::first", "stack::project::type::last"];
    await preview.note({ ...plan, owner: first });
    clock.advance(60_000);
    await preview.note({ ...plan, owner: last });
    clock.advance(2 * HOUR_MS - 30_000);
    expect(await boundBy(up, first)).toMatchObject([{ price: 7 }]);
    clock.advance(30_001);
    expect(await boundBy(up, first)).toEqual([]);
    expect(await boundBy(up, last)).toEqual([]);
  });

  test("stops binding in the middle of a run as well", async () => {
    const { preview, up, clock } = makeProcesses();
    await preview.note(plan);
    expect(await boundBy(up, "fleet")).toMatchObject([{ price: 7 }]);
    clock.advance(3 * HOUR_MS);
    expect(await boundBy(up, "fleet")).toEqual([]);
  });

  test("is told in full by many checks at the same time, in few writes", async () => {
    const { preview, up, raw } = makeProcesses();
    const stack = "urn:pulumi:dev::project";
    const owners = Array.from({ length: 50 }, (_, n) => `${stack}::type::fleet-${n}`);
    await Promise.all(owners.map((owner) => preview.note({ ...plan, owner })));
    expect(raw.historyOf("previews.json").length).toBeLessThan(4);
    for (const owner of owners) expect(await boundBy(up, owner)).toMatchObject([{ owner }]);
    const [shown] = await up.ofStack(stack);
    expect([...(shown?.plans.keys() ?? [])]).toEqual(owners);
  });

  test("binds in its newest version also if the clock was set back between the two", async () => {
    const { raw, open, clock } = makeDocumentBench();
    const process = (runId: string) => openFor(open(), runId);
    await process("first").note(plan);
    clock.advance(-1_000);
    await process("second").note({ ...plan, price: 9 });
    expect(await boundBy(process("up"), "fleet")).toMatchObject([{ price: 9 }]);
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

  test("is known to be over in a document that does not tell from where it was carried out", async () => {
    const { raw, preview, up } = makeProcesses();
    await preview.note(plan);
    const [written = ""] = raw.historyOf("previews.json").slice(-1);
    await raw.force("previews.json", written.replace('"owner":', '"isOver":true,"owner":'));
    expect(await boundBy(up, "fleet")).toMatchObject([{ ...plan, isOver: true }]);
  });

  test.each([
    ["can't be read", (raw: Raw) => raw.force("previews.json", '{"version":1,"pl')],
    ["is refused by the store", async (raw: Raw) => raw.expect("refused")],
  ])("that %s is told: it may forbid what is about to be bought", async (_how, spoil) => {
    const { raw, preview, up } = makeProcesses();
    await preview.note(plan);
    await spoil(raw);
    const { reason, message } = await troubleOf(up.ofStack("fleet"));
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
    expect(await boundBy(up, "fleet")).toMatchObject([{ price: 7 }]);
  });

  test("67: has shown nothing, also where it is known from the beginning to be one", async () => {
    const { preview, up, process } = makeProcesses();
    await preview.note(plan);
    await process("update", identity("up", "1", "update")).note({ ...plan, price: 9 });
    expect(await boundBy(up, "fleet")).toMatchObject([{ price: 7 }]);
  });
});

describe("the preview that is a part of `pulumi up`", () => {
  test("binds that very command; to a later one it permits nothing, and may forbid", async () => {
    const { preview, clock, process } = makeProcesses();
    await preview.note(plan);
    clock.advance(1_000);
    await process("first", identity("up", "1", "preview")).note({ ...plan, price: 9 });
    const same = process("first-update", identity("up", "1", "update"));
    expect(await boundBy(same, "fleet")).toMatchObject([{ price: 9 }]);
    const later = process("second-update", identity("up", "2", "update"));
    expect(await boundBy(later, "fleet")).toMatchObject([{ price: 9 }, { price: 7 }]);
  });

  test("67: forbids no other command what it did not contain", async () => {
    const { process } = makeProcesses();
    const owner = "stack::project::type::fleet";
    await process("first", identity("up", "1", "preview")).note({ ...plan, owner });
    const same = process("first-update", identity("up", "1", "update"));
    expect(await boundBy(same, "stack::project::type::other")).toEqual([undefined]);
    const later = process("second-update", identity("up", "2", "update"));
    expect(await boundBy(later, "stack::project::type::other")).toEqual([]);
  });

  test("is not told from others where the command can't be seen", async () => {
    const { clock, preview, process } = makeProcesses();
    await preview.note(plan);
    clock.advance(1_000);
    await process("first", identity(undefined, "", "unknown")).note({ ...plan, price: 9 });
    expect(await boundBy(process("later"), "fleet")).toMatchObject([{ price: 9 }]);
  });
});

describe("171: a preview that can't be written", () => {
  test("fails where it shows a purchase, also if the host waits for that", async () => {
    const { preview, raw } = makeProcesses();
    raw.expect("refused", "refused");
    const { reason, message } = await troubleOf(preview.note(plan));
    expect(reason).toBe("unavailable");
    expect(message).toContain("what this preview shows can't be written down");
    raw.expect("refused", "refused");
    preview.noteLater({ ...plan, price: 8 }, true);
    expect((await troubleOf(preview.written())).reason).toBe("unavailable");
  });

  test("goes on where it shows none", async () => {
    const { preview, raw } = makeProcesses();
    raw.expect("refused", "refused", "refused");
    preview.noteLater({ owner: "fleet", effect: "none" });
    await preview.written();
    expect(raw.historyOf("previews.json")).toEqual([]);
  });

  test("goes on while others are noted and not written yet", async () => {
    const { preview } = makeProcesses();
    preview.noteLater(plan, true);
    let isWaiting = true;
    const written = preview.written().finally(() => {
      isWaiting = false;
    });
    for (let n = 0; isWaiting && n < 1_000; n++) {
      await Promise.resolve();
      preview.noteLater({ ...plan, owner: `fleet-${n}` }, true);
    }
    await written;
  });

  test("is written at the second attempt", async () => {
    const { preview, up, raw } = makeProcesses();
    raw.expect("none", "refused");
    await preview.note(plan);
    expect(await boundBy(up, "fleet")).toMatchObject([{ price: 7 }]);
  });
});

describe("158: the preview inside a `pulumi up` that waits for a person for days", () => {
  const inUp = (n: number, phase: "preview" | "update") => identity("up", `cli-${n}`, phase);

  /** Waits while so many others preview, and go on to their updates if a person says so. */
  async function waitWhile(others: number, goOn: boolean) {
    const { raw, clock, process } = makeProcesses();
    await process("waiting", inUp(0, "preview")).note(plan);
    for (let n = 1; n <= others; n++) {
      clock.advance(HOUR_MS / 4);
      await process(`preview-${n}`, inUp(n, "preview")).note({ ...plan, price: 9 });
      if (goOn) await process(`update-${n}`, inUp(n, "update")).ended();
    }
    clock.advance(3 * HOUR_MS);
    return { raw, clock, process };
  }

  test.each([
    [30, false],
    [150, true],
  ])(
    "binds its update, also after %i others of its stack (they go on: %s)",
    async (count, goOn) => {
      const { process } = await waitWhile(count, goOn);
      expect(await boundBy(process("up", inUp(0, "update")), "fleet")).toMatchObject([
        { price: 7 },
      ]);
    },
  );

  test("is kept no longer than others once its update has ended, and while that may have other processes", async () => {
    const { raw, clock, process } = await waitWhile(0, false);
    await process("one-of-the-update", inUp(0, "update")).ended();
    const sweep = (name: string) => process(name).note({ ...plan, owner: "other" });
    await sweep("soon");
    expect(raw.historyOf("previews.json").at(-1)).toContain('"waiting"');
    clock.advance(2 * HOUR_MS + 1);
    await sweep("later");
    expect(raw.historyOf("previews.json").at(-1)).not.toContain('"waiting"');
  });

  test("is not ended by its own process, nor by another command", async () => {
    const { raw, process } = await waitWhile(0, false);
    const before = raw.historyOf("previews.json").length;
    await process("preview", inUp(0, "preview")).ended();
    await process("update", inUp(1, "update")).ended();
    expect(raw.historyOf("previews.json")).toHaveLength(before);
  });

  test("is dropped after a week", async () => {
    const { raw, clock, process } = await waitWhile(0, false);
    clock.advance(7 * 24 * HOUR_MS);
    await process("later").note({ ...plan, owner: "other" });
    expect(raw.historyOf("previews.json").at(-1)).not.toContain('"waiting"');
  });
});

test.each([1, 48])(
  "159: a preview binds for as long as its own setting says, whoever else previews meanwhile (for %i h)",
  async (hours) => {
    const { clock, process } = makeProcesses();
    await process("pull-request", identity("preview", "1", "preview"), 48 * HOUR_MS).note(plan);
    clock.advance(3 * HOUR_MS);
    const other = process("other", identity("preview", "2", "preview"), hours * HOUR_MS);
    await other.note({ ...plan, owner: "urn:pulumi:other::fleet::type::fleet" });
    const up = process("up", identity("up", "3", "update"), 48 * HOUR_MS);
    expect(await boundBy(up, "fleet")).toMatchObject([{ price: 7 }]);
  },
);

describe("172: what is noted before the engine has told the phase", () => {
  /** A plugin: it is told the phase with the first create or update. */
  function untold(command: RunIdentity["command"], commandId: string) {
    let phase: "unknown" | "preview" | "update" = "unknown";
    const told = (its: "preview" | "update") => {
      phase = its;
    };
    return { identity: { ...identity(command, commandId, phase), phase: () => phase }, told };
  }

  test("stands over nothing that the preview of the same command has shown", async () => {
    const { preview, process, clock } = makeProcesses();
    await preview.note({ ...plan, price: 20 });
    await process("shown", identity("up", "1", "preview")).note(plan);
    clock.advance(1_000);
    await process("checked", untold("up", "1").identity).note({ ...plan, price: 9 });
    const same = process("restarted", identity("up", "1", "update"));
    expect(await boundBy(same, "fleet")).toMatchObject([{ price: 7 }]);
    const later = process("later", identity("up", "2", "update"));
    expect((await boundBy(later, "fleet"))[0]).toMatchObject({ price: 7 });
  });

  test("permits nothing that the newest preview forbids, and may forbid", async () => {
    const { process, up } = makeProcesses();
    await process("shown", identity("preview", "1", "preview")).note(plan);
    await process("checked", untold(undefined, "").identity).note({ ...plan, price: 9 });
    expect(await boundBy(up, "fleet")).toMatchObject([{ price: 9 }, { price: 7 }]);
  });

  test("permits once the engine has told that it was a preview", async () => {
    const { process, up, raw } = makeProcesses();
    await process("shown", identity("preview", "1", "preview")).note(plan);
    const run = untold(undefined, "");
    const plugin = process("plugin", run.identity);
    plugin.noteLater({ ...plan, price: 9 }, true);
    await setImmediate();
    run.told("preview");
    raw.expect("refused");
    await plugin.written();
    await plugin.written();
    expect(await boundBy(up, "fleet")).toMatchObject([{ price: 9 }]);
  });
});

test("a purchase that can't look what previews have shown does not go on", async () => {
  const { up, raw } = makeProcesses();
  raw.expect("refused");
  expect((await troubleOf(up.ofStack("fleet"))).reason).toBe("unavailable");
});

describe("what could not be written of a preview", () => {
  const owner = (name: string) => `urn:pulumi:dev::project::type::${name}`;
  const planOf = (name: string, price = 7) => ({ ...plan, owner: owner(name), price });
  const pricesIn = async ({ ofStack }: PreviewedPlans) =>
    (await ofStack(owner("fleet"))).map(({ plans }) =>
      Object.fromEntries(Array.from(plans, ([name, { price }]) => [stackless(name), price])),
    );
  const stackless = (name: string) => name.split("::").at(-1);

  test("is written with what comes next: it did contain the resource", async () => {
    const { preview, up, raw } = makeProcesses();
    raw.expect("none", "refused", "refused");
    await troubleOf(preview.note(planOf("fleet")));
    await preview.note(planOf("other", 8));
    expect(await pricesIn(up)).toEqual([{ fleet: 7, other: 8 }]);
  });

  test("is written at its end, also if that is asked for while the write fails", async () => {
    const { preview, up, raw } = makeProcesses();
    raw.expect("none", "refused");
    preview.noteLater(planOf("fleet"));
    await preview.written();
    expect(await pricesIn(up)).toEqual([{ fleet: 7 }]);
  });

  test("does not stand over what was planned since", async () => {
    const { preview, up, raw } = makeProcesses();
    raw.expect("none", "refused");
    let newer: Promise<void> | undefined;
    raw.meanwhile(async () => {
      newer = preview.note(planOf("fleet", 9));
    });
    await preview.note(planOf("fleet"));
    await newer;
    await preview.note(planOf("other", 8));
    expect(await pricesIn(up)).toEqual([{ fleet: 9, other: 8 }]);
  });

  test("is forgotten where the process applies its plans", async () => {
    const { preview, process, raw } = makeProcesses();
    const refused = process("refused");
    await preview.note(planOf("fleet"));
    raw.expect("none", "refused", "refused");
    await troubleOf(refused.note(planOf("fleet", 9)));
    await refused.applies();
    await refused.written();
    expect(await pricesIn(process("up"))).toEqual([{ fleet: 7 }]);
  });
});
