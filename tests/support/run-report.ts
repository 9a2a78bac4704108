import type { Reporter, TestModule } from "vitest/node";

declare module "vitest" {
  interface TaskMeta {
    /** How many commands of the Pulumi CLI a test has run. */
    commands?: number;
  }
}

/**
 * The most commands of the Pulumi CLI that one run of all tests may take: they are what it waits for. Counted, because
 * times say more of the machine than of the tests. Who needs more says here why by a larger figure.
 */
const mostCommands = 1_200;

const slowestShown = 10;

/** Says at the end of a run what it has spent its time on, and fails it where that has grown. */
export class RunReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slowest = modules
      .map((module) => ({ module, seconds: module.diagnostic().duration / 1000 }))
      .toSorted((one, other) => other.seconds - one.seconds)
      .slice(0, slowestShown);
    console.log("Slowest files:");
    for (const { module, seconds } of slowest) {
      console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${module.relativeModuleId}`);
    }
    const commands = modules
      .flatMap((module) => [...module.children.allTests()])
      .reduce((sum, test) => sum + (test.meta().commands ?? 0), 0);
    console.log(`Commands of the Pulumi CLI: ${commands}, at most ${mostCommands}`);
    if (commands <= mostCommands) return;
    console.error("These are more than tests/support/run-report.ts allows.");
    process.exitCode = 1;
  }
}
