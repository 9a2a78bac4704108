import type { Found } from "./findings.ts";
import type { OpenAnswers } from "./open-answers.ts";
import type { Exchange } from "./raw-calls.ts";

/** How often the service did not want to answer. */
export interface CallTroubles {
  rateLimitedPercent: OpenAnswers["rateLimitedPercent"];
  unavailablePercent: OpenAnswers["unavailablePercent"];
  found: Found[];
}

/** Counts what was met on the way. */
export function countTroubles(exchanges: readonly Exchange[]): CallTroubles {
  const statuses = exchanges.flatMap((exchange) => exchange.statuses);
  const all = statuses.length;
  const count = (wanted: number | undefined) =>
    statuses.filter((status) => status === wanted).length;
  const answerOf = (status: number) => ({
    answer: Math.round((1000 * count(status)) / Math.max(1, all)) / 10,
    how: `${count(status)} of ${all} calls`,
  });
  const troubles = [
    ...[429, 503].map((status) => ({
      times: count(status),
      what: `answered with HTTP status ${status}`,
    })),
    { times: count(undefined), what: "not answered" },
  ].filter(({ times }) => times > 0);
  return {
    rateLimitedPercent: answerOf(429),
    unavailablePercent: answerOf(503),
    found: [tell(troubles, all)],
  };
}

function tell(troubles: readonly { times: number; what: string }[], all: number): Found {
  const about = "calls";
  if (troubles.length === 0)
    return { about, mark: "well", text: `Each of ${all} calls was answered at once.` };
  const parts = troubles.map(
    ({ times, what }) => `${times} ${times === 1 ? "was" : "were"} ${what}`,
  );
  return {
    about,
    mark: "look",
    text: `Of ${all} calls ${parts.join(", ")}. The provider repeats what reads, and never what spends.`,
  };
}
