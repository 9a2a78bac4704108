import { expect, test } from "vitest";
import { playHistories, scopes } from "../../faults/campaign/histories/play-all.ts";

/**
 * All of them in which a machine that could go on is left for the other one at most so often. It costs no such change to go
 * on with the other one when the first has crashed, stands still or waits. `npm run faults:histories` plays further.
 */
const bounds = [
  { faults: 1, switches: 1 },
  { faults: 0, switches: 3 },
];

test.each(scopes)(
  "in no history of two machines, each with one purchase, anything is charged twice or lost: %s",
  { timeout: 600_000 },
  async (scope) => {
    let count = 0;
    for (const bound of bounds) {
      const played = await playHistories(scope, bound);
      expect(played.wrong).toBeUndefined();
      count += played.count;
    }
    console.log(`${scope}: ${count} histories`);
    // Fewer would mean that steps are no longer seen.
    expect(count).toBeGreaterThan(2_000);
  },
);
