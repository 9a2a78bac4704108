import type { MiddlewareHandler } from "hono";

/** Compressed bodies are refused as what they are, and not for the JSON that they are not. */
export const refuseEncodedBody: MiddlewareHandler = async (c, next) => {
  const encoding = c.req.header("Content-Encoding") ?? "identity";
  if (encoding.toLowerCase() === "identity") return next();
  return c.json({ message: `Bodies are taken as they are, not as ${encoding}` }, 415, {
    "Accept-Encoding": "identity",
  });
};
