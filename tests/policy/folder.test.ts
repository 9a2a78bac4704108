import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { checkoutDir } from "../../toolchain/project.ts";

const manifestSchema = z.object({
  version: z.string(),
  main: z.string(),
  files: z.array(z.string()).optional(),
});

async function readManifest(path: string) {
  return manifestSchema.parse(JSON.parse(await readFile(resolve(checkoutDir, path), "utf8")));
}

test("the pack's folder has the package's version and starts code from the package", async () => {
  const whole = await readManifest("package.json");
  const pack = await readManifest("policy/package.json");
  expect(pack.version).toBe(whole.version);
  expect(resolve(checkoutDir, "policy", pack.main)).toBe(
    resolve(checkoutDir, "dist/policy/main.js"),
  );
  expect(whole.files).toEqual(
    expect.arrayContaining(["dist", "policy/PulumiPolicy.yaml", "policy/package.json"]),
  );
});
