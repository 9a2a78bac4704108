import { z } from "zod";
import { CliError } from "../../failure.ts";
import { readGivenFile } from "../../given-file.ts";
import type { Terminal } from "../../terminal.ts";
import type { Behavior } from "./behavior.ts";
import type { GithubTarget } from "./github.ts";
import type { GitlabTarget } from "./gitlab.ts";

/** Where comments can be posted. */
export const forges = ["github", "gitlab"] as const;

/** The flags that say where a comment goes. What is not given comes from the environment of a CI job. */
export interface TargetFlags {
  comment: (typeof forges)[number];
  behavior: Behavior;
  repo?: string;
  pullRequest?: number;
}

type Environment = Terminal["environment"];

/** Reads where a comment goes. */
export async function readTarget(
  flags: TargetFlags,
  environment: Environment,
): Promise<GithubTarget | GitlabTarget> {
  if (flags.comment === "github") return readGithubTarget(flags, environment);
  if (flags.behavior === "hide-and-new") {
    throw new CliError(
      "GitLab can't hide a note, so --behavior hide-and-new is for GitHub only: give update, replace or new",
    );
  }
  return readGitlabTarget(flags, environment);
}

async function readGithubTarget(
  { repo, pullRequest }: TargetFlags,
  environment: Environment,
): Promise<GithubTarget> {
  const token = need(environment, "GITHUB_TOKEN", "the token of the workflow");
  const name = repo ?? need(environment, "GITHUB_REPOSITORY", "OWNER/NAME (or give --repo)");
  const [, owner, repository] = /^([\w.-]+)\/([\w.-]+)$/.exec(name) ?? [];
  if (owner === undefined || repository === undefined) {
    throw new CliError(`${repo ? "--repo" : "GITHUB_REPOSITORY"} must be OWNER/NAME on GitHub`);
  }
  const apiUrl = readUrl(environment, "GITHUB_API_URL", "https://api.github.com");
  const graphqlUrl = readUrl(environment, "GITHUB_GRAPHQL_URL", graphqlOf(apiUrl));
  return {
    ...{ kind: "github", apiUrl, graphqlUrl, token, owner, repository },
    pullRequest: pullRequest ?? (await findPullRequest(environment)),
  };
}

function readGitlabTarget(
  { repo, pullRequest }: TargetFlags,
  environment: Environment,
): GitlabTarget {
  const { GITLAB_TOKEN: own = "", CI_JOB_TOKEN: ofJob = "" } = environment;
  const isJobToken = own === "" && ofJob !== "";
  const name = isJobToken ? "CI_JOB_TOKEN" : "GITLAB_TOKEN";
  const token = need(environment, name, "a project access token with the scope `api`");
  const { CI_MERGE_REQUEST_IID: iid = "" } = environment;
  if (pullRequest === undefined && !/^[1-9]\d*$/.test(iid)) {
    throw new CliError(
      "which merge request is commented on is not known: give --pull-request, or run in a pipeline of a merge request, where CI_MERGE_REQUEST_IID is set",
    );
  }
  return {
    ...{ kind: "gitlab", token, isJobToken },
    apiUrl: readUrl(environment, "CI_API_V4_URL", "https://gitlab.com/api/v4"),
    project: repo ?? need(environment, "CI_PROJECT_ID", "the project's id (or give --repo)"),
    mergeRequest: pullRequest ?? Number(iid),
  };
}

function need(environment: Environment, name: string, meaning: string): string {
  const value = environment[name] ?? "";
  // A header can't hold more than one line.
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  const problem = value === "" ? "is not set" : "has spaces or characters that it can't have";
  throw new CliError(`${name} ${problem}: set it to ${meaning}`);
}

/** The value may hold a password, so no message repeats it. */
function readUrl(environment: Environment, name: string, otherwise: string): URL {
  const given = environment[name] ?? "";
  const text = given === "" ? otherwise : given;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isRight =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (!isRight) {
    throw new CliError(
      `${name} is no URL of an API: set it to an http or https URL without user, query and fragment`,
    );
  }
  return url;
}

/** On a server of one's own the two APIs stand beside each other: /api/v3 and /api/graphql. */
function graphqlOf(apiUrl: URL): string {
  const root = apiUrl.href.replace(/\/+$/, "");
  return root.endsWith("/api/v3") ? root.replace(/v3$/, "graphql") : `${root}/graphql`;
}

const eventSchema = z.object({ pull_request: z.object({ number: z.int().min(1) }) });

async function findPullRequest(environment: Environment): Promise<number> {
  const { GITHUB_REF: ref = "", GITHUB_EVENT_PATH: event = "" } = environment;
  const [, fromRef] = /^refs\/pull\/([1-9]\d*)\//.exec(ref) ?? [];
  if (fromRef !== undefined) return Number(fromRef);
  if (event !== "") {
    const { json } = await readGivenFile(event, "GITHUB_EVENT_PATH names the event of a workflow");
    const parsed = eventSchema.safeParse(json);
    if (parsed.success) return parsed.data.pull_request.number;
  }
  throw new CliError(
    "which pull request is commented on is not known: give --pull-request, or run in a workflow of the event pull_request",
  );
}
