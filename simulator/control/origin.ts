import type { MiddlewareHandler } from "hono";

const loopbackNames: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Another site's page, open in the browser of whoever runs a simulator, has no business here; neither under its own name nor
 * under one that it has made point to this machine. A door that was put on another address is meant to have other names.
 */
export function refuseStrangers(boundTo: string): MiddlewareHandler {
  const isLoopback = loopbackNames.includes(boundTo) || boundTo === "::1";
  return async (c, next) => {
    const host = c.req.header("Host") ?? "";
    if (isLoopback && !loopbackNames.includes(URL.parse(`http://${host}`)?.hostname ?? "")) {
      return c.json({ message: `The control door is not at ${host}` }, 403);
    }
    const origin = c.req.header("Origin");
    if (origin !== undefined && URL.parse(origin)?.host !== host) {
      return c.json({ message: `Pages of ${origin} may not use the control door` }, 403);
    }
    return next();
  };
}
