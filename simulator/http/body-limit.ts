import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Context, Env, MiddlewareHandler } from "hono";

/**
 * Reads bodies up to a limit, and answers 413 beyond. Hono's own limiter needs node-server's Request in place of the
 * process's global one, and a simulator must not change that in somebody's test process.
 */
export function limitBody<Environment extends Env>(
  maximumBytes: number,
  onBody: (c: Context<Environment>, body: Buffer) => void = () => {},
): MiddlewareHandler<Environment> {
  return async (c, next) => {
    if (c.req.method === "GET" || c.req.method === "HEAD") return next();
    // Every app here is served by node-server.
    const { incoming } = c.env as HttpBindings;
    const announcedBytes = Number(c.req.header("Content-Length") ?? 0);
    const body = announcedBytes > maximumBytes ? null : await readUpTo(incoming, maximumBytes);
    // The rest is read for a moment, so that a client that is still sending sees this answer.
    if (body === null) return c.json({ message: `Bodies end at ${maximumBytes} bytes` }, 413);
    onBody(c, body);
    // Where node-server looks for a body that was read before.
    Object.assign(incoming, { rawBody: body });
    return next();
  };
}

/** Null if there is more. */
async function readUpTo(incoming: IncomingMessage, maximumBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  // A destroyed stream would still be read, and a body without end would never be cut off.
  const arriving: AsyncIterable<Buffer> = incoming.iterator({ destroyOnReturn: false });
  for await (const chunk of arriving) {
    size += chunk.byteLength;
    if (size > maximumBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
