import { z } from "zod";
import { CliError } from "../../failure.ts";
import { type Api, openApi } from "./api.ts";
import type { OwnComment } from "./behavior.ts";
import type { Forge } from "./forge.ts";
import { hasTag } from "./tag.ts";

/** A pull request on GitHub. */
export interface GithubTarget {
  kind: "github";
  apiUrl: URL;
  graphqlUrl: URL;
  token: string;
  owner: string;
  repository: string;
  pullRequest: number;
}

interface GithubComment extends OwnComment {
  /** Its id in the GraphQL API. */
  nodeId: string;
}

const createdSchema = z.object({ html_url: z.string().optional() });

const commentSchema = z.object({
  id: z.int(),
  node_id: z.string(),
  body: z.string().nullish(),
});

const graphqlErrors = z.array(z.object({ message: z.string() })).optional();

const ownershipSchema = z.object({
  data: z
    .object({
      nodes: z.array(
        z
          .object({ id: z.string(), viewerDidAuthor: z.boolean(), isMinimized: z.boolean() })
          .nullable(),
      ),
    })
    .nullish(),
  errors: graphqlErrors,
});

const minimizedSchema = z.object({ data: z.unknown().optional(), errors: graphqlErrors });

/** The token of a workflow can't ask who it is, but it can ask which comments are its own. */
const ownershipQuery =
  "query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { id viewerDidAuthor isMinimized } } }";

const minimizeQuery =
  "mutation($id: ID!) { minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { minimizedComment { isMinimized } } }";

/** How many nodes one query may name. */
const MAX_NODES = 100;

/** Opens a pull request on GitHub. */
export async function openGithub(target: GithubTarget): Promise<Forge<GithubComment>> {
  const { apiUrl, graphqlUrl, token, owner, repository, pullRequest } = target;
  const headers = {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${token}`,
    "x-github-api-version": "2022-11-28",
  };
  const shared = { name: "GitHub", headers, token, advise };
  const api = await openApi({ ...shared, root: apiUrl });
  const graphql = await openApi({ ...shared, root: graphqlUrl });
  const issues = `repos/${encodeURIComponent(owner)}/${encodeURIComponent(repository)}/issues`;
  const place = `pull request ${pullRequest}`;
  const urlOf = ({ id }: GithubComment) => `${issues}/comments/${id}`;

  return {
    place,
    maxLength: 65_536,
    async findOwn(tag, onPage) {
      const comments = await api.readPages(
        {
          url: `${issues}/${pullRequest}/comments?per_page=100`,
          what: `list the comments of ${place}`,
        },
        commentSchema,
        onPage,
      );
      const tagged = comments
        .filter(({ body }) => hasTag(body ?? "", tag))
        .map(({ id, node_id: nodeId, body }) => ({ id: String(id), nodeId, body: body ?? "" }));
      const shown = await findShown(graphql, tagged);
      return tagged.filter(({ nodeId }) => shown.has(nodeId));
    },
    async create(body) {
      const url = `${issues}/${pullRequest}/comments`;
      const what = `comment on ${place}`;
      return (await api.call({ method: "POST", url, body: { body }, what }, createdSchema)).body
        .html_url;
    },
    async update(comment, body) {
      const what = `edit the comment on ${place}`;
      await api.call({ method: "PATCH", url: urlOf(comment), body: { body }, what }, z.unknown());
    },
    async remove(comment) {
      const what = `delete a comment on ${place}`;
      await api.call({ method: "DELETE", url: urlOf(comment), what }, z.unknown());
    },
    async hide({ nodeId }) {
      const body = { query: minimizeQuery, variables: { id: nodeId } };
      const what = `hide a comment on ${place}`;
      const reply = await graphql.call({ method: "POST", url: "", body, what }, minimizedSchema);
      assertCarriedOut(what, reply.body.errors);
    },
    async close() {
      await Promise.all([api.close(), graphql.close()]);
    },
  };
}

/** Which comments are this token's own, and not hidden. Somebody else may have written the same tag. */
async function findShown(
  graphql: Api,
  comments: readonly GithubComment[],
): Promise<ReadonlySet<string>> {
  const shown = new Set<string>();
  for (let first = 0; first < comments.length; first += MAX_NODES) {
    const ids = comments.slice(first, first + MAX_NODES).map(({ nodeId }) => nodeId);
    const what = "tell which comments are ours";
    const body = { query: ownershipQuery, variables: { ids } };
    const reply = await graphql.call({ method: "POST", url: "", body, what }, ownershipSchema);
    assertCarriedOut(what, reply.body.errors);
    for (const node of reply.body.data?.nodes ?? []) {
      if (node?.viewerDidAuthor && !node.isMinimized) shown.add(node.id);
    }
  }
  return shown;
}

/** GraphQL answers 200 for a failure too. Its texts may repeat what was sent, so they are not printed. */
function assertCarriedOut(what: string, errors: z.infer<typeof graphqlErrors>): void {
  if (errors === undefined || errors.length === 0) return;
  throw new CliError(`GitHub refused to ${what} (GraphQL); ${advise(403)}`);
}

function advise(status: number): string {
  switch (status) {
    case 401:
      return "GITHUB_TOKEN is not valid there";
    case 403:
      return "give the job's token the permission `pull-requests: write`";
    case 404:
      return "check --repo and --pull-request, and that GITHUB_TOKEN may see the repository";
    default:
      return "run again when GitHub is well";
  }
}
