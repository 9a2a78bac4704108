import { Hono } from "hono";
import { z } from "zod";
import {
  answerPage,
  type ForgeServer,
  OWN,
  type StoredComment,
  serveForge,
  TOKEN,
} from "./forge-server.ts";

const bodySchema = z.object({ body: z.string() });

/** The token of a job, which a server may let write notes. */
export const JOB_TOKEN = "glcbt-of-the-running-job-0123456789";

/** GitLab's notes of one merge request, 7 of project 5, as its documentation describes the API. */
export function serveGitlab(): Promise<ForgeServer> {
  return serveForge(mountGitlab, new Hono(), "/api/v4");
}

function mountGitlab(app: Hono, server: Omit<ForgeServer, "url">): void {
  app.use(async (context, next) => {
    const isOwn = context.req.header("private-token") === TOKEN;
    if (isOwn || context.req.header("job-token") === JOB_TOKEN) return next();
    return Response.json({ message: "401 Unauthorized" }, { status: 401 });
  });
  const notes = "/api/v4/projects/:project/merge_requests/7/notes";
  const find = (id: string) => server.comments.find((comment) => String(comment.id) === id);
  const notFound = () => Response.json({ message: "404 Not found" }, { status: 404 });

  app.get("/api/v4/user", (context) =>
    context.req.header("private-token") === undefined
      ? Response.json({ message: "403 Forbidden" }, { status: 403 })
      : Response.json({ id: idOf(OWN) }),
  );
  app.get("/api/v4/job", () => Response.json({ id: 1, user: { id: idOf(OWN) } }));
  app.use(notes, async (context, next) => {
    if (["5", "fleet/proxies"].includes(context.req.param("project") ?? "")) return next();
    return notFound();
  });
  app.get(notes, (context) => {
    const isOldestFirst = context.req.query("sort") === "asc";
    const sorted = isOldestFirst ? server.comments : server.comments.toReversed();
    return answerPage(context, sorted.map(toNote), {
      defaultSize: 20,
      linkOrigin: server.linkOrigin,
    });
  });
  app.post(notes, async (context) => {
    const { body } = bodySchema.parse(await context.req.json());
    if (body.length > 1_000_000)
      return Response.json({ message: "400 Bad request" }, { status: 400 });
    return Response.json(toNote(server.add(body)), { status: 201 });
  });
  app.put(`${notes}/:id`, async (context) => {
    const comment = find(context.req.param("id"));
    const { body } = bodySchema.parse(await context.req.json());
    if (comment === undefined) return notFound();
    comment.body = body;
    return Response.json(toNote(comment));
  });
  app.delete(`${notes}/:id`, (context) => {
    const comment = find(context.req.param("id"));
    if (comment === undefined) return notFound();
    server.comments.splice(server.comments.indexOf(comment), 1);
    return new Response(null, { status: 204 });
  });
  app.notFound(notFound);
}

function idOf(author: string): number {
  return author === OWN ? 42 : 43;
}

function toNote({ id, body, author }: StoredComment): object {
  return { id, body, system: author === "system", author: { id: idOf(author), username: author } };
}
