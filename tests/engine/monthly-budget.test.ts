import { expect, it } from "vitest";
import { runCli } from "../cli/command.ts";
import { startForTest } from "../simulator/start.ts";
import { writerFor } from "../support/program-writer.ts";
import { ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const { on, order, program } = writerFor("plugin");

const now = () => new Date("2026-03-10T12:00:00Z");

it("refuses at preview what the stacks that share a journal can't spend together, and up spends nothing", async () => {
  const simulator = await startForTest({ now });
  const machine = { ...on, simulator, machineClock: now };
  const first = await createStack({
    ...machine,
    program: program(order("usa")),
    spawned: true,
    env: { PROXYRENTAL_MONTHLY_BUDGET: "14.69" },
  });
  expect(await first.succeed("preview")).toContain(
    "Of the monthly budget of 14.69 USD, 0.00 USD is spent in 2026-03, 7.00 USD is planned by this run and 7.69 USD is left (the journal counts the purchases of this machine only)",
  );
  await first.succeed("up");

  const second = await createStack({
    ...machine,
    program: program(order("gbr", { country: "GBR" })),
    env: { PROXYRENTAL_JOURNAL_DIR: first.journalDir },
  });
  await second.succeed("config set", "proxyrental:monthlyBudget", "14.69");
  const refusal =
    "BUDGET_EXCEEDED: 7.00 USD is spent in 2026-03 and the purchases of this run come to 7.70 USD, together above the monthly budget of 14.69 USD (proxyrental:monthlyBudget). Buy less, raise it, or wait until 2026-04-01 (UTC)";
  expect(await second.fail("preview")).toContain(refusal);
  expect(await second.fail("up")).toContain(refusal);
  expect(await second.fail("up", "--skip-preview")).toContain(refusal);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));

  await second.succeed("config set", "proxyrental:monthlyBudget", "14.70");
  const { stdout: input } = await second.run("preview --json");
  expect((await runCli(["cost", "-"], { input })).stdout).toContain(
    "Monthly budget of 14.70 USD: 7.00 USD used, 7.70 USD by this run, 0.00 USD left (the journal counts the purchases of one machine only).",
  );
  await second.succeed("up");
  expect(spendingOf(simulator)).toEqual(ordered("7.00", "7.70"));
});
