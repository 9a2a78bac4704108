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

const querySchema = z.object({
  query: z.string(),
  variables: z.object({ ids: z.array(z.string()).optional(), id: z.string().optional() }),
});

/** GitHub's comments of one pull request, 7 of fleet/proxies, as its documentation describes the API. */
export function serveGithub(): Promise<ForgeServer> {
  return serveForge(mountGithub, new Hono(), "/api/v3");
}

function mountGithub(app: Hono, server: Omit<ForgeServer, "url">): void {
  app.use(async (context, next) => {
    if (context.req.header("authorization") === `Bearer ${TOKEN}`) return next();
    return Response.json({ message: "Bad credentials" }, { status: 401 });
  });
  const issues = "/api/v3/repos/fleet/proxies/issues";
  const find = (id: string) => server.comments.find((comment) => String(comment.id) === id);
  const notFound = () => Response.json({ message: "Not Found" }, { status: 404 });

  app.get(`${issues}/7/comments`, (context) =>
    answerPage(context, server.comments.map(toComment), {
      defaultSize: 30,
      linkOrigin: server.linkOrigin,
    }),
  );
  app.post(`${issues}/7/comments`, async (context) => {
    const { body } = bodySchema.parse(await context.req.json());
    if (body.length > 65_536) return tooLong();
    return Response.json(toComment(server.add(body)), { status: 201 });
  });
  app.patch(`${issues}/comments/:id`, async (context) => {
    const comment = find(context.req.param("id"));
    const { body } = bodySchema.parse(await context.req.json());
    if (comment === undefined) return notFound();
    if (body.length > 65_536) return tooLong();
    comment.body = body;
    return Response.json(toComment(comment));
  });
  app.delete(`${issues}/comments/:id`, (context) => {
    const comment = find(context.req.param("id"));
    if (comment === undefined) return notFound();
    server.comments.splice(server.comments.indexOf(comment), 1);
    return new Response(null, { status: 204 });
  });
  app.post("/api/graphql", async (context) => {
    const { query, variables } = querySchema.parse(await context.req.json());
    return Response.json(answerGraphql(server, query, variables));
  });
  app.notFound(notFound);
}

function tooLong(): Response {
  return Response.json(
    { message: "Validation Failed", errors: ["body is too long (maximum is 65536 characters)"] },
    { status: 422 },
  );
}

function answerGraphql(
  { comments }: Omit<ForgeServer, "url">,
  query: string,
  { ids = [], id }: z.infer<typeof querySchema>["variables"],
): object {
  const find = (nodeId: string) => comments.find((comment) => nodeIdOf(comment) === nodeId);
  if (query.startsWith("query($ids: [ID!]!)")) {
    const nodes = ids.map((nodeId) => {
      const comment = find(nodeId);
      if (comment === undefined) return null;
      const { author, isHidden: isMinimized } = comment;
      return { id: nodeId, viewerDidAuthor: author === OWN, isMinimized };
    });
    return { data: { nodes } };
  }
  const comment = find(id ?? "");
  if (
    !/minimizeComment\(input: \{ subjectId: \$id, classifier: OUTDATED \}\)/.test(query) ||
    !comment
  ) {
    return { data: null, errors: [{ message: `Could not resolve to a node, ${TOKEN}` }] };
  }
  comment.isHidden = true;
  return { data: { minimizeComment: { minimizedComment: { isMinimized: true } } } };
}

function nodeIdOf({ id }: StoredComment): string {
  return `IC_${id}`;
}

function toComment(comment: StoredComment): object {
  const { id, body, author } = comment;
  return {
    ...{ id, node_id: nodeIdOf(comment), body, user: { login: author } },
    html_url: `https://github.example/fleet/proxies/pull/7#issuecomment-${id}`,
  };
}
