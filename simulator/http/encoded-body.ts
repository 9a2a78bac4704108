import type { MiddlewareHandler } from "hono";

/** Refuses compressed bodies with their own message, and not as wrong JSON. */
export const refuseEncodedBody: MiddlewareHandler = async (c, next) => {
  const encoding = c.req.header("Content-Encoding") ?? "identity";
  if (encoding.toLowerCase() === "identity") return next();
  return c.json({ message: `Bodies are taken as they are, not as ${encoding}` }, 415, {
    "Accept-Encoding": "identity",
  });
};
