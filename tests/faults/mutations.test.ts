import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mutate, mutations } from "./campaign/mutation-list.ts";

const read = (file: string) =>
  readFileSync(new URL(`../../provider/${file}`, import.meta.url), "utf8");

test.each(mutations)("each mutation still fits its source: $name", ({ changes }) => {
  for (const change of changes) {
    const text = read(change.file);
    expect(mutate(text, change)).not.toBe(text);
  }
});

test.each(["R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8"])("%s has a mutation", (rule) => {
  expect(mutations.filter((one) => one.rule.startsWith(rule))).not.toEqual([]);
});
