import type { MiddlewareHandler } from "hono";

const loopbackNames: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Refuses pages of other sites in the browser of a person who runs a simulator, under their own name or under a name
 * that points to this machine. A control API on another address may have other names.
 */
export function refuseStrangers(boundTo: string): MiddlewareHandler {
  const isLoopback = loopbackNames.includes(boundTo) || boundTo === "::1";
  return async (c, next) => {
    const host = c.req.header("Host") ?? "";
    if (isLoopback && !loopbackNames.includes(URL.parse(`http://${host}`)?.hostname ?? "")) {
      return c.json({ message: `The control API is not at ${host}` }, 403);
    }
    const origin = c.req.header("Origin");
    if (origin !== undefined && URL.parse(origin)?.host !== host) {
      return c.json({ message: `Pages of ${origin} may not use the control API` }, 403);
    }
    return next();
  };
}
