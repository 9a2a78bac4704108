import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import type { InstalledPackage } from "../../toolchain/installed-package.ts";
import { describeProduct } from "../journals/store-contract.ts";
import { postgres } from "../journals/stores/products/postgres.ts";

/** The journal of each store, and the library that it needs. */
const libraries = {
  "s3://bucket/prefix?region=eu-central-1": "@aws-sdk/client-s3",
  "gs://bucket/prefix": "@google-cloud/storage",
  "azblob://container/prefix?storage_account=team": "@azure/storage-blob",
  "postgres://user@127.0.0.1:1/db": "pg",
};

/** The libraries that keep journals, which the package does not install. */
export async function describeJournalLibraries(installed: InstalledPackage): Promise<void> {
  await describeProduct(postgres, ({ product }) => {
    test("the installed package names the library that a journal needs, and keeps a journal with it", async () => {
      const { folder, run } = installed;
      // npx starts this program, and takes longer to start than it.
      const tool = join(folder, "node_modules/.bin/pulumi-proxyrental");
      const check = (url: string, env = {}) =>
        execa(tool, ["journal", "check", url], { cwd: folder, env, reject: false, all: true });
      for (const [url, library] of Object.entries(libraries)) {
        const { exitCode, all } = await check(url);
        expect(all).toContain(
          `the package ${library} is not installed; install it with \`npm install ${library}\``,
        );
        expect([exitCode, all.split("\n").length]).toEqual([1, 1]);
      }
      await run("npm", "install", "--prefer-offline", "--no-audit", "--no-fund", "pg");
      const { url, environment } = product().enter("packed");
      const { exitCode, all } = await check(url, environment);
      expect(all).toContain("can keep a journal");
      expect(exitCode).toBe(0);
    });
  });
}
