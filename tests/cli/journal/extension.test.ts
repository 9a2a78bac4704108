import { describe, expect, test } from "vitest";
import { changeIntent, type IntentChange } from "../../../provider/core/records/intent.ts";
import { openFileJournal } from "../../../provider/journals/file/file-journal.ts";
import { machineTime } from "../../../provider/journals/machine-time.ts";
import { extensionIntent } from "../../core/records/intents.ts";
import { nobodyElse } from "../../support/presence.ts";
import { startMachine } from "../machine.ts";

/** A machine whose journal has an extension of one proxy, with these changes. */
async function startWith(change: IntentChange) {
  const machine = await startMachine();
  const { journalDir, simulator } = machine;
  const place = { journalDir, baseUrl: simulator.baseUrl, project: "/home/a/fleet" };
  const { store, locks, runId } = openFileJournal({ ...place, presence: nobodyElse }, machineTime);
  const sent = extensionIntent([{ ipAddressId: "ip-1", address: "192.0.2.1 10001" }]);
  const intent = { ...sent, runId };
  await locks.withAccount({ holdMs: 60_000, waitMs: 0 }, () => store.create(intent));
  if (change.phase) await store.replace(changeIntent(intent, change, machineTime.now()));
  return { ...machine, id: intent.id };
}

const theRest = "looks at the ends of the proxies, and pays only for those that still fall short";

describe("an extension in the journal", () => {
  test("is listed with its kind, and an unknown one ends the list with 2", async () => {
    const { cli } = await startWith({ phase: "unknown", remark: "some ends have moved" });
    const { exitCode, stdout } = await cli(["journal", "list"]);
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/unknown +1 IPv4 proxy extended by 30 days +7\.00 USD/);
  });

  const phases: [IntentChange, string, string][] = [
    [{}, "it may have been carried out and charged", "it looks at the account anew"],
    [{ phase: "unknown" }, "whether it was carried out and charged", "nothing while there is"],
    [{ phase: "placed" }, "it is paid; the engine was not told yet", `it ${theRest}`],
    [{ phase: "returned" }, "it is paid; the engine was told", `it ${theRest}`],
    [{ phase: "confirmed" }, "it is paid and the stack's state knows it", "Nothing remains"],
  ];

  test.each(phases)(
    "%o is shown with what a person can do, and without an order",
    async (change, ...says) => {
      const { cli, id } = await startWith(change);
      const { stdout } = await cli(["journal", "show", id]);
      for (const part of says) expect(stdout).toContain(part);
      expect(stdout).not.toMatch(/--order|adoptOrderNumber|undefined|unknown number/);
    },
  );

  test("is resolved by --closed only, and the next run compares the ends", async () => {
    const { cli, id } = await startWith({ phase: "unknown" });
    const refused = await cli(["journal", "resolve", id, "--order", "1"]);
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringContaining("extends proxies and has no order number; resolve it with --closed"),
    ]);
    const asked = await cli(["journal", "resolve", id]);
    expect(asked.stderr).toContain(`npx pulumi-proxyrental journal resolve ${id} --closed`);
    const { exitCode, stdout } = await cli(["journal", "resolve", id, "--closed"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      `Purchase ${id} is closed. The next \`pulumi up\` of fleet ${theRest}`,
    );
    expect(stdout).not.toContain("again");
  });
});
