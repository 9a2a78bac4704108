/** Between two neighbours only (RFC 9110, 7.6.1), or, as `expect`, answered by the proxy already. */
const forNeighbours = new Set([
  "connection",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** What a proxy hands on: neither what is meant for it alone nor what `Connection` names. */
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
