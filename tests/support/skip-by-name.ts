import { describe, test } from "vitest";

/** Leaves tests out and says why, in the output and by the name of a skipped test. */
export function skipByName(name: string, why: string): void {
  const reason = `not tried here: ${why}`;
  process.stderr.write(`${name} is ${reason}\n`);
  describe.skip(name, () => test(reason, () => undefined));
}
