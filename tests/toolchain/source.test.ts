import { expect, test } from "vitest";
import {
  describeFailure,
  parseSkip,
  planSearch,
  type Source,
  skipVariable,
} from "../../toolchain/source.ts";

test.each<{ skip: Source[]; plan: string[] }>([
  {
    skip: [],
    plan: ["find path", "find download", "find build", "make download", "make build"],
  },
  { skip: ["download"], plan: ["find path", "find build", "make build"] },
  { skip: ["path", "download"], plan: ["find build", "make build"] },
  { skip: ["build"], plan: ["find path", "find download", "make download"] },
  { skip: ["path", "download", "build"], plan: [] },
])("looks everywhere before it makes anything, without $skip", ({ skip, plan }) => {
  expect(planSearch(skip).map(({ kind, source }) => `${kind} ${source}`)).toEqual(plan);
});

test.each([
  { value: undefined, skip: [] },
  { value: "", skip: [] },
  { value: "download", skip: ["download"] },
  { value: " path , build,", skip: ["path", "build"] },
])("reads the switch '$value'", ({ value, skip }) => {
  expect(parseSkip(value)).toEqual(skip);
});

test("refuses a misspelled switch", () => {
  expect(() => parseSkip("path,donwload")).toThrow(`${skipVariable}: "donwload" is none of`);
});

test("if nothing works, names what was tried and all three ways out", () => {
  const text = describeFailure([
    { source: "path", reason: "no pulumi on PATH" },
    { source: "build", reason: "no go on PATH" },
  ]);
  expect(text).toContain("path: no pulumi on PATH");
  expect(text).toContain(`download: left out by ${skipVariable}`);
  expect(text).toContain("build: no go on PATH");
  expect(text).toMatch(/install the Pulumi CLI 3\.220\.0 or newer/);
  expect(text).toMatch(/allow https to get\.pulumi\.com/);
  expect(text).toMatch(/install Go 1\.26/);
});
