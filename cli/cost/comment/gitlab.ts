import { z } from "zod";
import { CliError } from "../../failure.ts";
import { openApi } from "./api.ts";
import type { Forge } from "./forge.ts";
import { hasTag } from "./tag.ts";

/** A merge request on GitLab. */
export interface GitlabTarget {
  kind: "gitlab";
  apiUrl: URL;
  token: string;
  /** Whether the token is that of the running job. */
  isJobToken: boolean;
  /** Its id, or its path. */
  project: string;
  mergeRequest: number;
}

const userSchema = z.object({ id: z.int() });
const jobSchema = z.object({ user: userSchema });

const noteSchema = z.object({
  id: z.int(),
  body: z.string(),
  author: userSchema,
});

/** Opens a merge request on GitLab. */
export async function openGitlab(target: GitlabTarget): Promise<Forge> {
  const { apiUrl, token, isJobToken, project, mergeRequest } = target;
  const api = await openApi({
    ...{ name: "GitLab", root: apiUrl, token },
    headers: isJobToken ? { "job-token": token } : { "private-token": token },
    advise: (status) => advise(status, isJobToken),
  });
  const notes = `projects/${encodeURIComponent(project)}/merge_requests/${mergeRequest}/notes`;
  const place = `merge request ${mergeRequest}`;

  async function findAuthor(): Promise<number> {
    const what = "tell whose the token is";
    if (isJobToken) {
      return (await api.call({ method: "GET", url: "job", what }, jobSchema)).body.user.id;
    }
    return (await api.call({ method: "GET", url: "user", what }, userSchema)).body.id;
  }

  return {
    place,
    maxLength: 1_000_000,
    async findOwn(tag, onPage) {
      const all = await api.readPages(
        {
          url: `${notes}?per_page=100&order_by=created_at&sort=asc`,
          what: `list the notes of ${place}`,
        },
        noteSchema,
        onPage,
      );
      const tagged = all.filter(({ body }) => hasTag(body, tag));
      if (tagged.length === 0) return [];
      // Somebody else may have written the same tag.
      const author = await findAuthor();
      return tagged
        .filter((note) => note.author.id === author)
        .map(({ id, body }) => ({ id: String(id), body }));
    },
    async create(body) {
      const what = `comment on ${place}`;
      await api.call({ method: "POST", url: notes, body: { body }, what }, z.unknown());
      return undefined;
    },
    async update({ id }, body) {
      const what = `edit the note on ${place}`;
      await api.call({ method: "PUT", url: `${notes}/${id}`, body: { body }, what }, z.unknown());
    },
    async remove({ id }) {
      const what = `delete a note on ${place}`;
      await api.call({ method: "DELETE", url: `${notes}/${id}`, what }, z.unknown());
    },
    // The command line is refused before.
    hide: () => Promise.reject(new CliError("GitLab can't hide a note")),
    close: () => api.close(),
  };
}

function advise(status: number, isJobToken: boolean): string {
  const needed =
    "set GITLAB_TOKEN to a project access token with the scope `api` and the role Developer";
  switch (status) {
    case 401:
    case 403:
      return isJobToken ? `the token of a job may not write notes: ${needed}` : needed;
    case 404:
      return `check --repo and --pull-request, and that the token may see the project${isJobToken ? `; or ${needed}` : ""}`;
    default:
      return "run again when GitLab is well";
  }
}
