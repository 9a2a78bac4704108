import type { MiddlewareHandler } from "hono";

/** Another site's page, open in the browser of whoever runs a simulator, has no business here. */
export const refuseStrangers: MiddlewareHandler = async (c, next) => {
  const origin = c.req.header("Origin");
  if (origin !== undefined && URL.parse(origin)?.host !== c.req.header("Host")) {
    return c.json({ message: `Pages of ${origin} may not use the control door` }, 403);
  }
  return next();
};
