import type { Reporter, TestModule } from "vitest/node";

declare module "vitest" {
  interface TaskMeta {
    /** How many commands of the Pulumi CLI a test has run. */
    commands?: number;
  }
}

/**
 * The most commands of the Pulumi CLI that a run of all tests may take. A run mostly waits for them. The commands are
 * counted because times depend more on the machine than on the tests. If you need more, raise this figure and say why.
 */
const mostCommands = 1_132;

const slowestShown = 10;

/** At the end of a run, reports what the run spent its time on. If that has grown too much, the run fails. */
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
