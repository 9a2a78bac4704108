import type { Readable } from "node:stream";
import { request } from "undici";
import { type Asked, explainError, explainPlainStatus } from "./asked.ts";
import { readToldAddress } from "./exit-address.ts";
import { openWay, type ProxyWay } from "./proxy-dispatcher.ts";

/** More than any page needs that tells an address. */
const MOST_BYTES = 16 * 1024;

/** Asks the URL once through a proxy, on connections of its own. Redirects are not followed: they are answers. */
export async function askThrough(way: ProxyWay, url: URL, timeoutMs: number): Promise<Asked> {
  const dispatcher = openWay(way, timeoutMs);
  const startedMs = performance.now();
  const elapsed = () => Math.round(performance.now() - startedMs);
  try {
    const { statusCode: status, body } = await request(url, {
      dispatcher,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: "text/plain, application/json;q=0.9, */*;q=0.5" },
    });
    const text = await readBeginning(body);
    const ms = elapsed();
    const isPlain = way.scheme === "http" && url.protocol === "http:";
    const refusal = isPlain ? explainPlainStatus(status) : undefined;
    if (refusal !== undefined) return { kind: "failed", ...refusal, ms };
    return { kind: "answered", status, ms, told: readToldAddress(text) };
  } catch (error) {
    return { kind: "failed", ...explainError(error, way.scheme, timeoutMs), ms: elapsed() };
  } finally {
    await dispatcher.destroy();
  }
}

/** The text of a short answer; of a longer one its beginning, which tells no address. */
async function readBeginning(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MOST_BYTES) break;
  }
  return Buffer.concat(pieces).toString();
}
