import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { KnownFlag } from "../../../provider/core/records/known-flag.ts";
import { createKnownFlags } from "../../../provider/journals/file/known-flags.ts";
import { createManualClock } from "../../core/support/account-under-test.ts";
import { filesIn, makeFolder } from "./folders.ts";

const on: Omit<KnownFlag, "turn" | "at"> = {
  proxyType: "IPv4",
  ...{ ipAddressId: "ip-1", address: "192.0.2.1 10001" },
  ...{ autoExtend: true, dateEnd: "2026-03-31T00:00:00.000Z" },
};

/** Processes that use one journal, and their time. */
function makeProcesses() {
  const folder = makeFolder();
  const clock = createManualClock();
  return { folder, clock, process: (runId: string) => createKnownFlags(folder, runId, clock) };
}

describe("the flags that this package has switched", () => {
  test("are known to the process that switched them, and to later ones", async () => {
    const { process, clock } = makeProcesses();
    const first = process("first");
    await first.note([on]);
    const noted = { ...on, turn: 1, at: clock.now().toISOString() };
    expect(await first.readAll()).toEqual(new Map([["ip-1", noted]]));
    expect(await process("second").readAll()).toEqual(new Map([["ip-1", noted]]));
  });

  test("are as they were switched last, whichever process did", async () => {
    const { process } = makeProcesses();
    await process("z").note([on]);
    const second = process("a");
    expect((await second.readAll()).get("ip-1")?.autoExtend).toBe(true);
    await second.note([{ ...on, autoExtend: false }]);
    expect((await second.readAll()).get("ip-1")?.autoExtend).toBe(false);
    expect((await process("third").readAll()).get("ip-1")?.autoExtend).toBe(false);
  });

  test("are none where nothing was switched, and then nothing is written", async () => {
    const { process, folder } = makeProcesses();
    await process("first").note([]);
    expect(await process("first").readAll()).toEqual(new Map());
    expect(filesIn(folder)).toEqual([]);
  });

  test("are read around a line that was torn", async () => {
    const { process, folder } = makeProcesses();
    await process("first").note([on]);
    appendFileSync(join(folder, "flags", "first.jsonl"), '{"proxyType":"IP');
    expect((await process("second").readAll()).size).toBe(1);
  });

  test("that can't be written down fail nothing, and stay known to the process", async () => {
    const { process, folder } = makeProcesses();
    writeFileSync(join(folder, "flags"), "");
    const first = process("first");
    await first.note([on]);
    expect((await first.readAll()).size).toBe(1);
    expect((await process("second").readAll()).size).toBe(0);
  });
});
