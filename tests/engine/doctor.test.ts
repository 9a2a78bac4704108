import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, inject, it } from "vitest";
import type { Report } from "../../cli/doctor/report.ts";
import { runCli } from "../cli/command.ts";
import { startForTest } from "../simulator/start.ts";
import { writerFor } from "../support/program-writer.ts";
import { createStack } from "../support/stack.ts";

const { on, extension, order, program } = writerFor("plugin");

it("sees in a real project which CLI and host it has, and what its purchases have shown of the service", async () => {
  const simulator = await startForTest({
    orderNumberDiffersFromOrderId: true,
    idsChangeOnExtension: true,
  });
  const paidThrough = new Date(Date.now() + 58 * 86_400_000).toISOString().slice(0, 10);
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  await stack.succeed("up");
  await stack.rewrite(program(order("usa"), extension("keep", "usa", paidThrough)));
  await stack.succeed("up");
  await stack.succeed("up", "--refresh");
  const state = join(stack.folder, "state.json");
  await writeFile(state, await stack.succeed("stack export"));

  const { PATH = "" } = process.env;
  const env = {
    PROXYRENTAL_BASE_URL: simulator.baseUrl,
    PROXYRENTAL_API_KEY: simulator.apiKey,
    PROXYRENTAL_JOURNAL_DIR: stack.journalDir,
    PATH: [inject("pulumiBinDir"), PATH].join(delimiter),
  };
  const { stdout } = await runCli(["doctor", "--json", "--state", state], {
    env,
    cwd: stack.folder,
  });
  const { findings, answers }: Report = JSON.parse(stdout);
  const marks = Object.fromEntries(findings.map(({ about, mark }) => [about, mark]));
  expect(marks).toMatchObject({
    cli: "well",
    project: "well",
    journal: "well",
    orphans: "well",
    plainKey: "well",
  });
  const texts = findings.map(({ text }) => text).join(" ");
  expect(texts).toContain(`The Pulumi CLI is v${inject("pulumiVersion").replace(/^v/, "")}`);
  expect(texts).toContain("the plugin (runtime");
  expect(answers?.orderNumberDiffersFromOrderId.answer).toBe(true);
  expect(answers?.idsChangeOnExtension.answer).toBe(true);
});
