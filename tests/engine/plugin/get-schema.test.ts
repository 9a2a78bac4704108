import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { schemaPath } from "../../../toolchain/schema/schema-file.ts";
import { startForTest } from "../../simulator/start.ts";
import { createStack } from "../../support/stack.ts";

/** An older CLI knows no lists, and leaves out what the schema says of them. */
const withoutLists = (key: string, value: unknown) => (key === "listInputs" ? undefined : value);

it("`pulumi package get-schema` starts the installed plugin and prints schema.json, without an account", async () => {
  const simulator = await startForTest();
  const env = { PROXYRENTAL_BASE_URL: "", PROXYRENTAL_API_KEY: "" };
  const stack = await createStack({ simulator, runtime: "yaml", program: "outputs: {}", env });
  const plugin = "./node_modules/.bin/pulumi-resource-proxyrental";
  // This command writes only the schema to its output, and fails if it can't bind the schema.
  const { exitCode, stdout } = await stack.shell(`pulumi package get-schema ${plugin}`, {});
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout, withoutLists)).toEqual(
    JSON.parse(await readFile(schemaPath, "utf8"), withoutLists),
  );
});
