import { expect, test, vi } from "vitest";
import { runCli } from "../../command.ts";
import { bought, orderInputs, type StepText, step, writePreview } from "../preview-document.ts";
import { type ForgeServer, TOKEN } from "./forge-server.ts";
import { JOB_TOKEN, serveGitlab } from "./gitlab-server.ts";

vi.setConfig({ testTimeout: 60_000 });

const TAG = "<!-- pulumi-proxyrental:cost tag -->";
const paid = orderInputs(bought());
const buying = [step(paid)];

async function post(
  { url }: ForgeServer,
  steps: readonly StepText[],
  flags: readonly string[] = [],
  env: Record<string, string> = {},
) {
  const args = ["cost", await writePreview(steps), "--comment", "gitlab", ...flags];
  const ofJob = { CI_API_V4_URL: url, CI_PROJECT_ID: "5", CI_MERGE_REQUEST_IID: "7" };
  const outcome = await runCli(args, { env: { ...ofJob, GITLAB_TOKEN: TOKEN, ...env } });
  expect(outcome.stdout + outcome.stderr).not.toContain(TOKEN);
  expect(outcome.stdout + outcome.stderr).not.toContain(JOB_TOKEN);
  return outcome;
}

function fillPage(server: ForgeServer): void {
  for (let count = 0; count < 120; count += 1) server.add(`Looks good ${count}`, "a-person");
}

test("makes a note, then edits it, also on page 2, and leaves those of others", async () => {
  const server = await serveGitlab();
  server.add(`${TAG}\n\n### This run spends nothing`, "a-stranger");
  server.add(`${TAG}\n\nchanged the title`, "system");
  fillPage(server);
  const made = await post(server, buying);
  expect(made).toMatchObject({ exitCode: 0, stderr: "Comments on merge request 7: 1 made." });
  const others = structuredClone(server.comments.slice(0, -1));
  const edited = await post(server, []);
  expect(edited.stderr).toBe("Comments on merge request 7: 1 updated.");
  expect(server.comments.slice(0, -1)).toEqual(others);
  expect(server.comments.at(-1)?.body).toContain("### This run spends nothing");
  expect((await post(server, [])).stderr).toContain("the earlier one says the same");
});

test("replace makes a new note and deletes the earlier ones; new leaves them", async () => {
  const server = await serveGitlab();
  server.add(`${TAG}\n\nfirst`);
  fillPage(server);
  server.add(`${TAG}\n\nsecond`);
  const replaced = await post(server, buying, ["--behavior", "replace"]);
  expect(replaced.stderr).toBe("Comments on merge request 7: 1 made, 2 deleted.");
  expect(server.comments).toHaveLength(121);
  await post(server, buying, ["--behavior", "new"]);
  expect(server.comments).toHaveLength(122);
});

test("hide-and-new is refused before anything is posted: GitLab can't hide a note", async () => {
  const server = await serveGitlab();
  const outcome = await post(server, buying, ["--behavior", "hide-and-new"]);
  expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
  expect(outcome.stderr).toContain("give update, replace or new");
  expect(server.requests).toEqual([]);
});

test("a note is cut only where GitLab would not take it", async () => {
  const server = await serveGitlab();
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => step(paid, { name: `proxies-${index}` }));
  const missing = () => /\n… and (\d+) more resources\n/.exec(server.comments[0]?.body ?? "")?.[1];
  await post(server, many(2_000));
  expect(missing()).toBeUndefined();
  await post(server, many(16_000));
  expect(Number(missing())).toBeGreaterThan(500);
  expect(server.comments[0]?.body.length).toBeGreaterThan(999_000);
});

test("the project may be named by its path, and the token may be that of the job", async () => {
  const server = await serveGitlab();
  const env = { GITLAB_TOKEN: "", CI_JOB_TOKEN: JOB_TOKEN, CI_PROJECT_ID: "" };
  const flags = ["--repo", "fleet/proxies"];
  expect(await post(server, buying, flags, env)).toMatchObject({ exitCode: 0 });
  expect((await post(server, [], flags, env)).stderr).toContain("1 updated");
  expect(server.requests).toContain("GET /api/v4/job");
  server.fail("GET", 403);
  const refused = await post(server, buying, flags, env);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain(
    "the token of a job may not write notes: set GITLAB_TOKEN to a project access token",
  );
});

const wrong: [what: string, env: Record<string, string>, said: string][] = [
  ["no token", { GITLAB_TOKEN: "" }, "GITLAB_TOKEN is not set"],
  ["no project", { CI_PROJECT_ID: "" }, "CI_PROJECT_ID is not set"],
  ["no merge request", { CI_MERGE_REQUEST_IID: "" }, "give --pull-request"],
  ["a URL that is none", { CI_API_V4_URL: "gitlab.example" }, "CI_API_V4_URL is no URL of an API"],
];
test.each(wrong)("%s is refused before anything is read or asked", async (_what, env, said) => {
  const server = await serveGitlab();
  const outcome = await post(server, buying, [], env);
  expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
  expect(outcome.stderr).toContain(said);
  expect(server.requests).toEqual([]);
});
