import { expect, it } from "vitest";
import { makeProject } from "../../toolchain/project.ts";
import { startForTest } from "../simulator/start.ts";
import { readPage } from "../support/docs.ts";
import { nothingSpent, ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const [readme, start] = [readPage("README.md"), readPage("docs/getting-started.md")];

/** Text whose lines may be broken anywhere, on any day. */
const flatten = (text: string) => text.replace(/\s+/g, " ").replace(/\d{4}-\d\d-\d\d/g, "DATE");

/** What the provider says in a picture of a terminal. */
function readSaid(picture: string): string {
  const [, said = ""] =
    /Diagnostics:\s+\S+ \(\S+\):\s+(.*?)\s+Outputs:/s.exec(readPage(picture).text) ?? [];
  return said;
}

it("runs the README's program unchanged, and its picture says what the preview says", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ simulator, program: readme.block("ts") });
  const preview = await stack.succeed("preview");
  for (const ground of ["light", "dark"]) {
    const said = readSaid(`docs/pictures/preview-${ground}.svg`);
    expect(said).toContain("for 7.00 USD");
    expect(flatten(preview)).toContain(flatten(said));
  }
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  await stack.succeed("up");
  expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");
  await stack.succeed("destroy");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  expect(simulator.proxies().filter((proxy) => proxy.autoExtend)).toEqual([]);
});

it("goes through the first page as a user would, at its price", async () => {
  const simulator = await startForTest();
  const projectLines = start.block("yaml").trimEnd().split("\n");
  const stack = await createStack({ simulator, program: start.block("ts"), projectLines });
  const [, promised] = /shows the price: "(.*?)"/.exec(start.text) ?? [];
  expect(promised).toBeDefined();
  expect(await stack.succeed("preview")).toContain(promised);
  expect(spendingOf(simulator)).toEqual(nothingSpent);
  await stack.succeed("up");
  expect(await stack.succeed("up")).toContain("2 unchanged");
  expect(await stack.succeed("stack output", "--show-secrets", "urls")).toMatch(
    /http:\/\/\w+:\w+@[\d.]+:\d+/,
  );
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("runs the page's YAML program unchanged", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...{ simulator, program: "" },
    fill: (folder) =>
      makeProject(folder, { "Pulumi.yaml": readPage("docs/languages.md").block("yaml") }),
  });
  expect(await stack.succeed("preview")).toContain("fleet: buys 5 IPv4 proxies in USA");
  await stack.succeed("up");
  expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});
