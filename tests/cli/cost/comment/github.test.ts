import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeTemporaryFolder } from "../../../support/temporary-folder.ts";
import { runCli } from "../../command.ts";
import { bought, orderInputs, type StepText, step, writePreview } from "../preview-document.ts";
import { type ForgeServer, TOKEN } from "./forge-server.ts";
import { serveGithub } from "./github-server.ts";

vi.setConfig({ testTimeout: 60_000 });

const TAG = "<!-- pulumi-proxyrental:cost tag -->";
const paid = orderInputs(bought());
const buying = [step(paid)];
const unchanged = [step(paid, { op: "same", old: paid })];

const environmentOf = ({ url }: ForgeServer) => ({
  ...{ GITHUB_API_URL: url, GITHUB_TOKEN: TOKEN },
  ...{ GITHUB_REPOSITORY: "fleet/proxies", GITHUB_REF: "refs/pull/7/merge" },
});

/** Runs `cost` on a preview and posts it. The token appears nowhere. */
async function post(
  server: ForgeServer,
  steps: readonly StepText[],
  flags: readonly string[] = [],
  env: Record<string, string> = {},
) {
  const args = ["cost", await writePreview(steps), "--comment", "github", ...flags];
  const outcome = await runCli(args, { env: { ...environmentOf(server), ...env } });
  expect(outcome.stdout + outcome.stderr).not.toContain(TOKEN);
  return outcome;
}

/** Comments of people, so that what comes later is on page 2. */
function fillPage(server: ForgeServer): void {
  for (let count = 0; count < 120; count += 1) server.add(`Looks good ${count}`, "a-person");
}

const tagged = ({ comments }: ForgeServer) => comments.filter(({ body }) => body.startsWith(TAG));

test("makes the comment, with the table, and prints the usual output", async () => {
  const server = await serveGithub();
  const { exitCode, stdout, stderr } = await post(server, buying, ["--markdown"]);
  expect(exitCode).toBe(0);
  expect(stderr).toBe(
    "Comments on pull request 7: 1 made (https://github.example/fleet/proxies/pull/7#issuecomment-1001).",
  );
  expect(server.comments.map(({ body }) => body)).toEqual([stdout]);
  expect(stdout).toMatch(
    /^<!-- pulumi-proxyrental:cost tag -->\n\n### This run spends 7\.00 USD\n/,
  );
});

test("update edits the newest of its comments, also on page 2, and no other one", async () => {
  const server = await serveGithub();
  server.add(`${TAG}\n\nolder`);
  fillPage(server);
  const newest = server.add(`${TAG}\n\nnewest`);
  const before = structuredClone(server.comments);
  const { stderr } = await post(server, buying);
  expect(stderr).toBe("Comments on pull request 7: 1 updated.");
  expect(newest.body).toContain("This run spends 7.00 USD");
  expect(server.comments.filter(({ id }) => id !== newest.id)).toEqual(before.slice(0, -1));
  expect(server.requests.filter((request) => request.startsWith("GET"))).toHaveLength(2);

  const again = await post(server, buying);
  expect(again.stderr).toBe("Comments on pull request 7: the earlier one says the same.");
  expect(server.requests.filter((request) => request.startsWith("PATCH"))).toHaveLength(1);
});

test("never touches a comment of somebody else, a quoted one, a hidden one, or one of another tag", async () => {
  const server = await serveGithub();
  server.add(`${TAG}\n\n### This run spends nothing`, "a-stranger");
  server.add(`> ${TAG}\n\nwhat is this?`);
  server.add(`See ${TAG}`);
  server.add("<!-- pulumi-proxyrental:cost tag prod -->\n\nof prod");
  server.add(`${TAG}\n\nhidden`).isHidden = true;
  for (const behavior of ["update", "replace", "hide-and-new"]) {
    const before = structuredClone(server.comments.slice(0, 5));
    expect(await post(server, buying, ["--behavior", behavior])).toMatchObject({ exitCode: 0 });
    expect(server.comments.slice(0, 5)).toEqual(before);
  }
});

test("replace makes a new comment and deletes the earlier ones", async () => {
  const server = await serveGithub();
  server.add(`${TAG}\n\nfirst`);
  fillPage(server);
  server.add(`${TAG}\n\nsecond`);
  for (const name of ["replace", "delete-and-new"]) {
    const { stderr } = await post(server, buying, ["--behavior", name]);
    expect(stderr).toMatch(name === "replace" ? /: 1 made \(.*\), 2 deleted\.$/ : /, 1 deleted\.$/);
    expect(tagged(server)).toHaveLength(1);
    expect(tagged(server)[0]?.body).toContain("This run spends 7.00 USD");
  }
  expect(server.comments).toHaveLength(121);
});

test("hide-and-new makes a new comment and hides the earlier ones as outdated", async () => {
  const server = await serveGithub();
  const first = server.add(`${TAG}\n\nfirst`);
  const { stderr } = await post(server, buying, ["--behavior", "hide-and-new"]);
  expect(stderr).toMatch(/: 1 made \(.*\), 1 hidden\.$/);
  expect(first).toMatchObject({ isHidden: true, body: `${TAG}\n\nfirst` });
  expect(server.comments.map(({ isHidden }) => isHidden)).toEqual([true, false]);
  // What is hidden stays as it is.
  await post(server, buying, ["--behavior", "hide-and-new"]);
  expect(server.comments.map(({ isHidden }) => isHidden)).toEqual([true, true, false]);
});

test("new leaves earlier comments, and reads none", async () => {
  const server = await serveGithub();
  server.add(`${TAG}\n\nfirst`);
  await post(server, buying, ["--behavior", "new"]);
  expect(tagged(server)).toHaveLength(2);
  expect(server.requests).toEqual(["POST /api/v3/repos/fleet/proxies/issues/7/comments"]);
});

test("--tag keeps several comments of one pull request apart", async () => {
  const server = await serveGithub();
  await post(server, buying, ["--tag", "eu"]);
  await post(server, buying, ["--tag", "eu-west"]);
  await post(server, [], ["--tag", "eu"]);
  expect(server.comments.map(({ body }) => body.split("\n").slice(0, 3))).toEqual([
    ["<!-- pulumi-proxyrental:cost tag eu -->", "", "### This run spends nothing"],
    ["<!-- pulumi-proxyrental:cost tag eu-west -->", "", "### This run spends 7.00 USD"],
  ]);
  const wrong = await post(server, buying, ["--tag", "a --> b"]);
  expect(wrong).toMatchObject({ exitCode: 1, stdout: "" });
  expect(wrong.stderr).toContain("Give up to 100 letters");
});

test("--skip-no-diff makes no comment where nothing changes, and an earlier one says so", async () => {
  const server = await serveGithub();
  const first = await post(server, unchanged, ["--skip-no-diff"]);
  expect(first.stderr).toBe("Comments on pull request 7: none, since nothing changes.");
  expect(server.comments).toEqual([]);
  await post(server, buying, ["--skip-no-diff"]);
  expect(server.comments).toHaveLength(1);
  await post(server, unchanged, ["--skip-no-diff"]);
  expect(server.comments.map(({ body }) => body)).toEqual([
    expect.stringContaining("### This run spends nothing"),
  ]);
  await post(server, unchanged, ["--skip-no-diff", "--behavior", "replace"]);
  expect(server.comments).toEqual([]);
  await post(server, unchanged);
  expect(server.comments).toHaveLength(1);
});

test("what is held on the base branch counts as a change", async () => {
  const server = await serveGithub();
  const same = await writePreview(unchanged);
  await post(server, unchanged, ["--skip-no-diff", "--base", same]);
  expect(server.comments).toHaveLength(0);
  await post(server, unchanged, ["--skip-no-diff", "--base", await writePreview([])]);
  expect(server.comments).toHaveLength(1);
});

test("a comment is not longer than GitHub takes", async () => {
  const server = await serveGithub();
  const many = Array.from({ length: 2_000 }, (_, index) =>
    step(paid, { name: `proxies-${index}` }),
  );
  const { exitCode, stdout } = await post(server, many, ["--markdown"]);
  expect(exitCode).toBe(0);
  expect(stdout.length).toBeGreaterThan(65_536);
  const [comment] = server.comments;
  expect(comment?.body).toMatch(/\n… and \d+ more resources\n/);
  expect(comment?.body.length).toBeGreaterThan(65_000);
});

test("limits are told before the comment is posted, stand in it, and decide the exit code", async () => {
  const server = await serveGithub();
  const { exitCode, stderr } = await post(server, buying, ["--fail-above", "6"]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^Above --fail-above 6: this run may spend 7\.00 USD\.\nComments on/);
  expect(server.comments[0]?.body).toContain("**Above --fail-above 6: ");
  server.fail("GET", 403);
  const failed = await post(server, buying, ["--fail-above", "6"]);
  expect(failed.exitCode).toBe(1);
  expect(failed.stderr).toContain("Above --fail-above 6");
});

test("the account's key and the token are in no comment", async () => {
  const server = await serveGithub();
  const key = "key-of-the-account-0123456789";
  const named = [step(paid, { name: `a-${key}-${TOKEN}` })];
  await post(server, named, [], { PROXYRENTAL_API_KEY: key });
  expect(server.comments[0]?.body).toContain("| `a-");
  expect(server.comments[0]?.body).not.toContain(key);
  expect(server.comments[0]?.body).not.toContain(TOKEN);
});

const refusals: [status: number, method: string, said: string][] = [
  [401, "GET", "GITHUB_TOKEN is not valid there"],
  [403, "GET", "give the job's token the permission `pull-requests: write`"],
  [404, "GET", "check --repo and --pull-request"],
  [
    403,
    "PATCH",
    "GitHub refused to edit the comment on pull request 7 (403: Refused for Bearer [token])",
  ],
  [403, "POST", "GitHub refused to tell which comments are ours (403"],
];
test.each(refusals)(
  "an answer %s to %s is one sentence that says what to do",
  async (status, method, said) => {
    const server = await serveGithub();
    server.add(`${TAG}\n\nfirst`);
    server.fail(method, status);
    const { exitCode, stdout, stderr } = await post(server, buying);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("This run spends 7.00 USD");
    expect(stderr).toContain(said);
    expect(stderr.split("\n")).toHaveLength(1);
  },
);

test("reads and edits are repeated while GitHub is unwell; a comment is never posted twice", async () => {
  const server = await serveGithub();
  server.add(`${TAG}\n\nfirst`);
  server.fail("GET", 502, 2);
  server.fail("PATCH", 503);
  expect(await post(server, buying)).toMatchObject({ exitCode: 0 });
  server.fail("POST", 502);
  const once = await post(server, buying, ["--behavior", "new"]);
  expect(once).toMatchObject({ exitCode: 1 });
  expect(once.stderr).toContain("run again when GitHub is well");
  expect(server.comments).toHaveLength(1);
});

test("a server that can't be reached is one sentence with its address", async () => {
  const server = await serveGithub();
  const { exitCode, stderr } = await post(server, buying, ["--behavior", "new"], {
    GITHUB_API_URL: "http://127.0.0.1:9/api/v3",
  });
  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    "error: GitHub could not be asked to comment on pull request 7 (http://127.0.0.1:9: ECONNREFUSED); check the URL of the API and run again. What was asked may have been done all the same.",
  );
});

test("the next page is read from the same server only: the token travels nowhere else", async () => {
  const server = await serveGithub();
  const other = await serveGithub();
  fillPage(server);
  server.linkOrigin = new URL(other.url).origin;
  const newest = server.add(`${TAG}\n\nfirst`);
  expect((await post(server, buying)).stderr).toBe("Comments on pull request 7: 1 updated.");
  expect(newest.body).toContain("This run spends 7.00 USD");
  expect(other.requests).toEqual([]);
});

test("the pull request comes from the flag, the ref, or the event", async () => {
  const server = await serveGithub();
  const event = join(await makeTemporaryFolder(), "event.json");
  await writeFile(event, JSON.stringify({ action: "opened", pull_request: { number: 7 } }));
  const ref = "refs/heads/main";
  const byEvent = await post(server, buying, [], { GITHUB_REF: ref, GITHUB_EVENT_PATH: event });
  expect(byEvent.exitCode).toBe(0);
  const flags = ["--pull-request", "7", "--repo", "fleet/proxies"];
  const byFlag = await post(server, [], flags, { GITHUB_REF: "", GITHUB_REPOSITORY: "" });
  expect(byFlag.stderr).toBe("Comments on pull request 7: 1 updated.");
  expect((await post(server, buying, [], { GITHUB_REF: ref })).stderr).toBe(
    "error: which pull request is commented on is not known: give --pull-request, or run in a workflow of the event pull_request",
  );
});

const wrong: [what: string, flags: string[], env: Record<string, string>, said: string][] = [
  ["no token", [], { GITHUB_TOKEN: "" }, "GITHUB_TOKEN is not set"],
  ["a token of two lines", [], { GITHUB_TOKEN: `${TOKEN}\nx` }, "GITHUB_TOKEN has spaces"],
  ["no repository", [], { GITHUB_REPOSITORY: "" }, "GITHUB_REPOSITORY is not set"],
  ["a wrong repository", ["--repo", "proxies"], {}, "--repo must be OWNER/NAME"],
  [
    "a URL with a password",
    [],
    { GITHUB_API_URL: `https://u:${TOKEN}@x.example` },
    "GITHUB_API_URL is no URL",
  ],
  ["an unknown behavior", ["--behavior", "updat"], {}, "Give update, replace, hide-and-new, new"],
  ["no number", ["--pull-request", "0"], {}, "Give the number of the pull request"],
];
test.each(wrong)(
  "%s is refused before anything is read or asked",
  async (_what, flags, env, said) => {
    const server = await serveGithub();
    const outcome = await post(server, buying, flags, env);
    expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
    expect(outcome.stderr).toContain(said);
    expect(server.requests).toEqual([]);
  },
);

test("flags of the comment without --comment are refused: nobody believes that it was posted", async () => {
  const file = await writePreview(buying);
  for (const flags of [
    ["--behavior", "new"],
    ["--skip-no-diff"],
    ["--repo", "a/b"],
    ["--pull-request", "7"],
  ]) {
    const { exitCode, stderr } = await runCli(["cost", file, ...flags]);
    expect([exitCode, stderr]).toEqual([
      1,
      `error: ${flags[0]} says how a comment is posted: give --comment github or --comment gitlab with it`,
    ]);
  }
});
