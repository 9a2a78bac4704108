import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import { startForTest } from "../simulator/start.ts";
import { order, program } from "../support/program.ts";
import { nothingSpent, ordered, spendingOf } from "../support/spending.ts";
import { createStack, type Stack } from "../support/stack.ts";
import { encrypted } from "../support/stack-documents.ts";
import { openExample } from "./example-stack.ts";

/** An example's order, and the file with the program. */
export interface Example {
  readonly language: "python" | "go";
  readonly file: string;
  readonly proxyType: string;
  readonly price: string;
}

/** Runs an example as its user does, with wrong arguments first. */
export async function runExample(example: Example): Promise<void> {
  const simulator = await startForTest();
  const stack = await openExample(example.language, simulator);
  await compareRefusals(example, stack, simulator);
  await liveThrough(example, stack, simulator);
}

/** Plays the life of an example's fleet. */
async function liveThrough(
  { language, proxyType, price }: Example,
  stack: Stack,
  simulator: Simulator,
): Promise<void> {
  expect(await stack.succeed("preview")).toContain(
    `buys 5 ${proxyType} proxies in USA for 30 days for ${price} USD`,
  );
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  // The engine itself starts the plugin for this one.
  const { exitCode, text } = await stack.start("up").ended;
  expect(exitCode, text).toBe(0);
  expect(spendingOf(simulator)).toEqual(ordered(price));
  expect(simulator.proxies().map(({ autoExtend }) => autoExtend)).toEqual(Array(5).fill(true));
  expect((await stack.state()).find(`${language}-fleet-dev`)?.outputs).toMatchObject({
    balanceBefore: 1000,
    nextExtensionCosts: Number(price),
    urls: encrypted,
  });

  expect(await stack.succeed("up")).toContain("3 unchanged");
  await stack.succeed("destroy");
  expect(simulator.proxies().some(({ autoExtend }) => autoExtend)).toBe(false);
  expect(spendingOf(simulator)).toEqual(ordered(price));
}

/** Compares how the example is refused, if its order is wrong, with the refusal of a TypeScript program. */
async function compareRefusals(
  { file, proxyType }: Example,
  stack: Stack,
  simulator: Simulator,
): Promise<void> {
  const path = join(stack.folder, file);
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace('"USA"', '"usa"'));
  await stack.succeed("config set-all", "--plaintext", "crawlers=-1");
  const said = await stack.fail("preview");
  const refusals = readRefusals(said);

  const args = { proxyType, country: "usa", quantity: -1, goal: "search monitoring", maxPrice: 20 };
  const inTypeScript = await createStack({ simulator, program: program(order("crawlers", args)) });
  expect(refusals, said).toEqual(readRefusals(await inTypeScript.fail("preview")));
  expect(refusals).toEqual([
    expect.stringMatching(/^country: INPUT_INVALID: /),
    expect.stringMatching(/^quantity: INPUT_INVALID: /),
  ]);
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  await stack.succeed("config rm", "crawlers");
  await writeFile(path, text);
}

/** Each property that the provider refuses, and why. */
function readRefusals(output: string): string[] {
  const found = output.matchAll(/^ *error: .* property (\w+) .*has a problem: (.+)$/gm);
  return Array.from(found, ([, property, reason]) => `${property}: ${reason}`).toSorted();
}
