import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorCodes } from "../../../provider/core/values/errors.ts";

/** The codes in the first column of README's table of errors. */
function readDocumentedCodes(): string[] {
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  const [, section = ""] = /^## Errors$([\s\S]*?)^## /m.exec(readme) ?? [];
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return rows.flatMap((row) => row.split("|")[1]?.match(/[A-Z]+(_[A-Z]+)+/g) ?? []);
}

test("README's table of errors has every code, and no other", () => {
  expect(readDocumentedCodes().toSorted()).toEqual(errorCodes.toSorted());
});
