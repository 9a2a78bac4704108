import { defineConfig } from "vitest/config";
import { keepCompiled } from "../support/short-run.ts";

await keepCompiled();

/** `npm run test:languages`. What these tests install and compile takes minutes on a machine that has no caches yet. */
export default defineConfig({
  test: {
    include: ["tests/languages/**/*.test.ts"],
    globalSetup: ["tests/support/pulumi-setup.ts"],
    // Each file keeps all processors busy by its compiler.
    maxWorkers: 2,
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
});
