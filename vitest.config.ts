import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tests/support/longest-first.ts";
import { RunReport } from "./tests/support/run-report.ts";
import { keepCompiled } from "./tests/support/short-run.ts";
import { stayInMemory } from "./tests/support/stay-in-memory.ts";

await stayInMemory();
await keepCompiled();

/**
 * Of all projects, which then share the workers: the short files fill the gaps that the long ones leave. A file
 * waits for the CLI or for a service part of the time, so that more of them fit than there are processors.
 */
const maxWorkers = Math.max(4, availableParallelism());

/** By the real CLI. */
const engine = [
  "tests/engine/**/*.test.ts",
  "tests/faults/engine/**/*.test.ts",
  "tests/packed/**/*.test.ts",
];

/** By `npm run test:languages`, which has a configuration of its own. */
const languages = "tests/languages/**";

/** Tests that keep something for a whole file, a browser or a process, or that load modules in a way of their own. */
const alone = [
  "tests/page/**/*.test.ts",
  "tests/sdk/**/*.test.ts",
  "tests/journals/file/heartbeats.test.ts",
  "tests/journals/file/document-steps.test.ts",
  "tests/simulator/own-process.test.ts",
];

/** Only what hangs takes as long, however busy the machine is. */
const timeouts = { testTimeout: 900_000, hookTimeout: 900_000 };

export default defineConfig({
  test: {
    reporters: ["default", new RunReport()],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: ["tests/**/*.test.ts"],
          exclude: [...engine, ...alone, languages],
          maxWorkers,
          // Loading the same modules for each file took more time than the tests.
          isolate: false,
          setupFiles: ["tests/support/file-end-setup.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "unit-alone",
          include: alone,
          setupFiles: ["tests/support/file-end-setup.ts"],
          maxWorkers,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "engine",
          include: engine,
          globalSetup: ["tests/support/pulumi-setup.ts"],
          maxWorkers,
          // Each command has a plugin or a process of its own, so that files share no more than the tests of a file.
          isolate: false,
          ...timeouts,
        },
      },
    ],
  },
});
