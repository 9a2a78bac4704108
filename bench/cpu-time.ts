import { readFileSync } from "node:fs";

/** Linux gives times to user programs in this unit, in whatever unit the kernel counts. */
const TICKS_PER_SECOND = 100;

const CHILDREN_USER_TICKS = 13;
const CHILDREN_SYSTEM_TICKS = 14;

/**
 * Seconds of processor time that the ended child processes and their own children have used: the CLI, the program,
 * the provider. The figure hardly depends on what else the machine does. Undefined if there is no /proc.
 */
export function readChildrenCpuSeconds(): number | undefined {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // The second field is the program's name in parentheses. The name can contain spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = [CHILDREN_USER_TICKS, CHILDREN_SYSTEM_TICKS].map((i) => Number(fields[i]));
    return ticks.reduce((sum, count) => sum + count, 0) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}
