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

/**
 * Null if there is more. By events, because every call comes through here, and an iterator costs more than the rest of
 * this function.
 */
function readUpTo(incoming: IncomingMessage, maximumBytes: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= maximumBytes) return;
      // Nothing may be read any more, so that a body without end is cut off.
      incoming.off("data", onData).pause();
      resolve(null);
    };
    incoming.on("data", onData);
    incoming.once("end", () => resolve(Buffer.concat(chunks)));
    incoming.once("error", reject);
    incoming.once("close", () => {
      if (!incoming.readableEnded) reject(new Error("The caller left before the end of its body"));
    });
  });
}
