import type { EndpointName, RequestRecord } from "../../simulator/index.ts";

/** How many calls of an endpoint were under way at the same time, at most. */
export function countMostInFlight(
  requests: readonly RequestRecord[],
  endpoint: EndpointName,
): number {
  const calls = requests.filter((call) => call.endpoint === endpoint);
  const inFlightAt = (ms: number) =>
    calls.filter(
      ({ beganAtMs, endedAtMs = Number.POSITIVE_INFINITY }) => beganAtMs <= ms && endedAtMs > ms,
    );
  return Math.max(0, ...calls.map((call) => inFlightAt(call.beganAtMs).length));
}
