import type { OpenQuestions } from "../open-questions.ts";
import type { FaultRule } from "./fault.ts";

/** Faults from the start on, which no test has asked for. */
export function forecast({
  rateLimitedPercent,
  unavailablePercent,
}: Pick<OpenQuestions, "rateLimitedPercent" | "unavailablePercent">): FaultRule[] {
  const rules: FaultRule[] = [
    {
      endpoint: "any",
      probability: rateLimitedPercent / 100,
      phase: "before",
      fault: { kind: "status", status: 429, retryAfterSeconds: 1 },
    },
    ...(["before", "after"] as const).map(
      (phase): FaultRule => ({
        endpoint: "any",
        probability: unavailablePercent / 200,
        phase,
        fault: { kind: "status", status: 503 },
      }),
    ),
  ];
  return rules.filter(({ probability }) => probability !== 0);
}
