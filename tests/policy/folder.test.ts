import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";

const root = fileURLToPath(new URL("../../", import.meta.url));

const manifestSchema = z.object({
  version: z.string(),
  main: z.string(),
  files: z.array(z.string()).optional(),
});

async function readManifest(path: string) {
  return manifestSchema.parse(JSON.parse(await readFile(resolve(root, path), "utf8")));
}

test("the pack's folder has the package's version and starts code that the package ships", async () => {
  const whole = await readManifest("package.json");
  const pack = await readManifest("policy/package.json");
  expect(pack.version).toBe(whole.version);
  expect(resolve(root, "policy", pack.main)).toBe(resolve(root, "dist/policy/main.js"));
  expect(whole.files).toEqual(
    expect.arrayContaining(["dist", "policy/PulumiPolicy.yaml", "policy/package.json"]),
  );
});
