import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ServiceError, serviceErrorCodes } from "../../../provider/client/index.ts";
import { errorCodes, explainServiceError } from "../../../provider/core/values/errors.ts";
import { checkoutDir } from "../../../toolchain/project.ts";
import { namedRows, readPage } from "../../support/docs.ts";

/** The codes in the first column of the table of errors. */
function readDocumentedCodes(): string[] {
  const rows = namedRows(readPage("docs/errors.md"));
  return rows.flatMap(([codes]) => codes?.match(/[A-Z]+(_[A-Z]+)+/g) ?? []);
}

/** All source texts in some folders, without the lists of codes. */
function readSources(...folders: string[]): string {
  const files = folders.flatMap((folder) =>
    readdirSync(join(checkoutDir, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !path.endsWith("errors.ts"))
      .map((path) => join(checkoutDir, folder, path)),
  );
  return files.map((path) => readFileSync(path, "utf8")).join("\n");
}

test("the table of errors has every code and no other", () => {
  expect(readDocumentedCodes().toSorted()).toEqual(errorCodes.toSorted());
});

test("each code is thrown somewhere, and tested", () => {
  const [said, met] = [readSources("provider", "sdk"), readSources("tests")];
  expect(errorCodes.filter((code) => !said.includes(`"${code}"`))).toEqual([]);
  expect(errorCodes.filter((code) => !met.includes(code))).toEqual([]);
});

test.each(serviceErrorCodes)(
  "%s says how to record calls, if the service may be to blame",
  (code) => {
    const facts = {
      code,
      outcome: "rejected",
      endpoint: "getBalance",
      message: "it failed",
    } as const;
    const said = String(explainServiceError(new ServiceError(facts)));
    expect(said).toContain(`${code}: it failed. Nothing was bought by this call. `);
    const hint =
      "For the service's support, PROXYRENTAL_CALLS=FILE writes each call of the next run down, without key and logins.";
    expect(said.endsWith(hint)).toBe(code !== "API_KEY_REJECTED");
  },
);
