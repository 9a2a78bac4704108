import { readFileSync } from "node:fs";

/** Linux tells user programs times in this unit whatever the kernel counts in. */
const TICKS_PER_SECOND = 100;

const CHILDREN_USER_TICKS = 13;
const CHILDREN_SYSTEM_TICKS = 14;

/**
 * Seconds of processor that ended children and their children have used: the CLI, the program, the
 * provider. It hardly depends on what else the machine does. Undefined where there is no /proc.
 */
export function readChildrenCpuSeconds(): number | undefined {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // The second field is the program's name in parentheses, which may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = [CHILDREN_USER_TICKS, CHILDREN_SYSTEM_TICKS].map((i) => Number(fields[i]));
    return ticks.reduce((sum, count) => sum + count, 0) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}
