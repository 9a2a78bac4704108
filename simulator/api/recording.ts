import type { MiddlewareHandler } from "hono";
import { proxyTypes } from "../catalogue/catalogue.ts";
import type { Service } from "../service.ts";
import type { ApiEnv } from "./call.ts";
import { stripMoved } from "./moved-path.ts";

/**
 * Writes every request into the journal, also those that are none of the service's. Of a path, only words of the
 * service's paths are written: anything else may be a key, also if the caller has a wrong base URL.
 */
export function recordRequests(
  { changes, clock, requests }: Service,
  pathWords: ReadonlySet<string>,
): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const { outgoing } = c.env;
    const request = requests.begin(clock.now(), {
      method: c.req.method,
      path: redactPath(stripMoved(c.req.raw), pathWords),
      proxyType: redactType(c.req.query("proxyType")),
    });
    c.set("request", request);
    outgoing.once("close", () => {
      requests.end(request, outgoing.headersSent ? outgoing.statusCode : undefined);
      changes.count += 1;
    });
    await next();
  };
}

function redactType(proxyType: string | undefined): string | undefined {
  if (proxyType === undefined || proxyTypes.some((known) => known === proxyType)) return proxyType;
  return "{…}";
}

function redactPath(path: string, words: ReadonlySet<string>): string {
  return path
    .split("/")
    .map((segment, index, segments) => {
      if (words.has(segment)) return segment;
      return segments[index - 1] === "v1" ? "{apiKey}" : "{…}";
    })
    .join("/");
}
