import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that run for a minute or more, longest first. They begin before all others, so that none of them runs alone at
 * the end. Vitest orders the other files. If one of the slowest files of a run is missing here, add it.
 */
const longest = [
  "tests/faults/engine/kills.test.ts",
  "tests/engine/ci-example.test.ts",
  "tests/faults/engine/interruptions.test.ts",
  "tests/engine/example.test.ts",
  "tests/engine/proxy-fleet.test.ts",
  "tests/engine/policy.test.ts",
  "tests/engine/plugin/parity/deliveries.test.ts",
  "tests/faults/engine/plans.test.ts",
  "tests/packed/package.test.ts",
  "tests/engine/plugin/parity/extensions.test.ts",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
      return at < 0 ? longest.length : at;
    };
    return usual.toSorted((one, other) => rank(one) - rank(other));
  }
}
