import { expect, it } from "vitest";
import { makeProject } from "../../toolchain/project.ts";
import { startForTest } from "../simulator/start.ts";
import { readPage } from "../support/docs.ts";
import { nothingSpent, ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const [readme, languages] = [readPage("README.md"), readPage("docs/languages.md")];

it("runs the README's program unchanged, at the README's price", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ simulator, program: readme.block("ts") });
  const preview = await stack.succeed("preview");
  const [, promised] = /# "(fleet: buys .+ for 7\.00 USD; balance after )/.exec(readme.text) ?? [];
  expect(promised).toBeDefined();
  expect(preview).toContain(promised);
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  await stack.succeed("up");
  expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");
  await stack.succeed("destroy");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  expect(simulator.proxies().filter((proxy) => proxy.autoExtend)).toEqual([]);
});

it("runs the page's YAML program unchanged", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...{ simulator, program: "" },
    fill: (folder) => makeProject(folder, { "Pulumi.yaml": languages.block("yaml") }),
  });
  expect(await stack.succeed("preview")).toContain("fleet: buys 5 IPv4 proxies in USA");
  await stack.succeed("up");
  expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});
