import type { Fault } from "../../simulator/index.ts";

/** The deadline of a call, by the machine's clock. A busy machine must be able to keep it. */
export const USUAL_DEADLINE_MS = 20_000;

/** The deadline of a call that is not answered in time. The test waits for it. */
export const SHORT_DEADLINE_MS = 2_500;

/** The deadline of calls of which one meets the fault. */
export function deadlineFor({ kind }: Fault): number {
  return kind === "hang" ? SHORT_DEADLINE_MS : USUAL_DEADLINE_MS;
}
