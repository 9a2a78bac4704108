import type { Context, Env, MiddlewareHandler } from "hono";

/**
 * Reads bodies up to a limit and answers 413 beyond. Hono's own limiter needs the process's global Request replaced by
 * node-server's, which a simulator inside somebody's test process has no business doing.
 */
export function limitBody<Environment extends Env>(
  maximumBytes: number,
  onBody: (c: Context<Environment>, body: Buffer) => void = () => {},
): MiddlewareHandler<Environment> {
  return async (c, next) => {
    const { raw } = c.req;
    if (raw.body === null) return next();
    const body = await readUpTo(raw.body, maximumBytes);
    if (body === null) {
      return c.json({ message: `Bodies end at ${maximumBytes} bytes` }, 413, {
        Connection: "close",
      });
    }
    onBody(c, body);
    c.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body });
    return next();
  };
}

/** Null when there is more. */
async function readUpTo(
  stream: ReadableStream<Uint8Array>,
  maximumBytes: number,
): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > maximumBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
