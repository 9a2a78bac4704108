import { serve } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { onTestFinished } from "vitest";

/** A comment as a service keeps it. */
export interface StoredComment {
  id: number;
  body: string;
  author: string;
  isHidden: boolean;
}

/** A service that keeps comments, as far as its documentation says how it behaves. */
export interface ForgeServer {
  /** The URL of its API. */
  url: string;
  comments: StoredComment[];
  /** Each request so far: "GET /user". */
  requests: string[];
  /** Puts a comment there, by whoever. */
  add(body: string, author?: string): StoredComment;
  /** The next requests of this method fail with this status. */
  fail(method: string, status: number, times?: number): void;
  /** The server that links to next pages name. @default this one */
  linkOrigin: string | undefined;
}

/** The token that the service knows, and whose it is. */
export const TOKEN = "token-of-this-job-0123456789";
export const OWN = "this-job";

/** Serves an API until the test ends. */
export async function serveForge(
  mount: (app: Hono, server: Omit<ForgeServer, "url">) => void,
  app: Hono,
  path: string,
): Promise<ForgeServer> {
  const comments: StoredComment[] = [];
  const requests: string[] = [];
  const failures: { method: string; status: number; times: number }[] = [];
  let lastId = 1000;
  const state: Omit<ForgeServer, "url"> = {
    ...{ comments, requests, linkOrigin: undefined },
    add(body, author = OWN) {
      lastId += 1;
      const comment = { id: lastId, body, author, isHidden: false };
      comments.push(comment);
      return comment;
    },
    fail: (method, status, times = 1) => void failures.push({ method, status, times }),
  };
  app.use(async (context, next) => {
    const { method, url } = context.req;
    requests.push(`${method} ${new URL(url).pathname}${new URL(url).search}`);
    const failure = failures.find((rule) => rule.method === method && rule.times > 0);
    if (failure === undefined) return next();
    failure.times -= 1;
    // A service may repeat what it was sent.
    const headers = ["authorization", "private-token", "job-token"] as const;
    const sent = headers.map((name) => context.req.header(name) ?? "").join("");
    const message = `Refused for ${sent}`;
    return Response.json({ message }, { status: failure.status });
  });
  mount(app, state);
  const port = await new Promise<number>((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, (info) =>
      resolve(info.port),
    );
    onTestFinished(() => void server.close());
  });
  return Object.assign(state, { url: `http://127.0.0.1:${port}${path}` });
}

/** One page of a list, with the header that names the next one. */
export function answerPage<Item>(
  context: Context,
  items: readonly Item[],
  { defaultSize, linkOrigin }: { defaultSize: number; linkOrigin: string | undefined },
): Response {
  const size = Math.min(100, Number(context.req.query("per_page") ?? defaultSize));
  const { pathname, search, origin } = new URL(context.req.url);
  const page = Number(context.req.query("page") ?? 1);
  const shown = items.slice((page - 1) * size, page * size);
  const hasNext = page * size < items.length;
  const linkTo = (number: number, rel: string) => {
    const url = new URL(`${pathname}${search}`, linkOrigin ?? origin);
    url.searchParams.set("page", String(number));
    return `<${url.href}>; rel="${rel}"`;
  };
  const links = [linkTo(1, "first"), ...(hasNext ? [linkTo(page + 1, "next")] : [])];
  return Response.json(shown, { headers: { link: links.join(", ") } });
}
