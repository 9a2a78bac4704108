/** Headers between two neighbours only (RFC 9110, 7.6.1), and `expect`, which the proxy has answered already. */
const forNeighbours = new Set([
  "connection",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The headers that a proxy forwards: not those for the proxy itself, and not those that `Connection` names. */
export function selectForwarded(headers: NodeJS.Dict<string[]>): Record<string, string[]> {
  const named = new Set(
    (headers.connection ?? [])
      .flatMap((value) => value.split(","))
      .map((name) => name.trim().toLowerCase()),
  );
  const selected: Record<string, string[]> = {};
  for (const [name, values] of Object.entries(headers)) {
    const isHere = forNeighbours.has(name) || named.has(name) || name.startsWith("proxy-");
    if (!isHere && values !== undefined) selected[name] = values;
  }
  return selected;
}
