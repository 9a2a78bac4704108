import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["tests/**/*.test.ts"],
          exclude: ["tests/engine/**", "tests/faults/engine/**", "tests/packed/**"],
        },
      },
      {
        test: {
          name: "engine",
          include: [
            "tests/engine/**/*.test.ts",
            "tests/faults/engine/**/*.test.ts",
            "tests/packed/**/*.test.ts",
          ],
          globalSetup: ["tests/support/pulumi-setup.ts"],
          // A file waits for the CLI most of the time, so that more of them fit than there are processors.
          maxWorkers: 3,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
