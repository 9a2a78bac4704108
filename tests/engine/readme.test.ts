import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkoutDir, makeProject } from "../../toolchain/project.ts";
import { startForTest } from "../simulator/start.ts";
import { nothingSpent, ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const readme = await readFile(join(checkoutDir, "README.md"), "utf8");

/** The first fenced block of a language. */
function blockOf(language: string): string {
  const block = readme.split(`\`\`\`${language}\n`)[1]?.split("```")[0];
  if (block === undefined) throw new Error(`README has no ${language} block`);
  return block;
}

it("runs the README's program unchanged, at the README's price", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ simulator, program: blockOf("ts") });
  const preview = await stack.succeed("preview");
  const [, promised] = /# "(fleet: buys .+ for 7\.00 USD; balance after )/.exec(readme) ?? [];
  expect(promised).toBeDefined();
  expect(preview).toContain(promised);
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  await stack.succeed("up");
  expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");
  await stack.succeed("destroy");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  expect(simulator.proxies().filter((proxy) => proxy.autoExtend)).toEqual([]);
});

it("runs the README's YAML program unchanged", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...{ simulator, program: "" },
    fill: (folder) => makeProject(folder, { "Pulumi.yaml": blockOf("yaml") }),
  });
  expect(await stack.succeed("preview")).toContain("fleet: buys 5 IPv4 proxies in USA");
  await stack.succeed("up");
  expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});
