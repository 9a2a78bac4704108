import type { EndpointName, RequestRecord } from "../../simulator/index.ts";

/** The largest number of calls of an endpoint that were under way at the same time. */
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
