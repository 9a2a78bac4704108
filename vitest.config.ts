import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { RunReport } from "./tests/support/run-report.ts";

/**
 * Of both projects, which then share the workers: the short files fill the gaps that the long ones leave. A file
 * waits for the CLI or for a service part of the time, so that more of them fit than there are processors.
 */
const maxWorkers = Math.max(3, availableParallelism() - 1);

export default defineConfig({
  test: {
    reporters: ["default", new RunReport()],
    projects: [
      {
        test: {
          name: "unit",
          include: ["tests/**/*.test.ts"],
          exclude: ["tests/engine/**", "tests/faults/engine/**", "tests/packed/**"],
          maxWorkers,
          testTimeout: 60_000,
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
          maxWorkers,
          // Only what hangs takes as long, however busy the machine is.
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
});
