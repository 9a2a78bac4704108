import { chmod, cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import { checkoutDir, makeProject } from "../../toolchain/project.ts";
import { TOKEN } from "../cli/cost/comment/forge-server.ts";
import { serveGithub } from "../cli/cost/comment/github-server.ts";
import { serveGitlab } from "../cli/cost/comment/gitlab-server.ts";
import { startForTest } from "../simulator/start.ts";
import { readPipeline, readWorkflow, type ShellStep } from "../support/ci-file.ts";
import { nothingSpent, spendingOf } from "../support/spending.ts";
import { type Answer, createStack, type Stack } from "../support/stack.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const examples = join(checkoutDir, "examples");
const files = {
  github: await readFile(join(examples, "ci/github-actions.yml"), "utf8"),
  gitlab: await readFile(join(examples, "ci/gitlab-ci.yml"), "utf8"),
};

type Event = "pull_request" | "push" | "schedule";

/** The condition of a step that is run whatever the ones before it have said. */
const ALWAYS = `$\{{ !cancelled() }}`;

/** The commands of the daily job. */
const daily = ["doctor", "forecast", "check"];

/** A job as one of the two systems runs it. */
interface Runner {
  stack: Stack;
  simulator: Simulator;
  /** Runs the steps in order, after a failure only those that are always run, and returns what all of them said. */
  run(job: string, event: Event, env?: Record<string, string>): Promise<Answer>;
  /** The comments that were made. */
  comments(): string[];
  /** The arguments of each call of `npm`. Nothing is downloaded. */
  installs(): Promise<string>;
}

/** The project of a user: an example's program, with the package installed. */
async function fillProject(folder: string): Promise<void> {
  await makeProject(folder, {});
  await cp(join(examples, "fleet-by-country"), folder, { recursive: true });
}

async function writeProgram(folder: string, name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
}

async function startRunner(
  jobs: ReadonlyMap<string, ShellStep[]>,
  forEvent: (event: Event, stands: string) => Record<string, string>,
  stands: string,
): Promise<Omit<Runner, "comments">> {
  const simulator = await startForTest();
  const stack = await createStack({ simulator, program: "", fill: fillProject });
  await writeProgram(stands, "npm", `echo "$@" >> ${stands}/npm.txt`);
  // The real one takes longer to start than the tool. tests/packed starts the tool by it.
  await writeProgram(stands, "npx", 'exec "node_modules/.bin/$@"');
  const settings = {
    ...{ PULUMI_STACK: "dev", SPEND_LIMIT: "100", MONTHLY_LIMIT: "300" },
    PROXYRENTAL_JOURNAL: pathToFileURL(join(stack.folder, ".journal")).href,
  };
  return {
    stack,
    simulator,
    installs: () => readFile(join(stands, "npm.txt"), "utf8"),
    async run(job, event, env = {}) {
      const said: string[] = [];
      const steps = [...(jobs.get("default") ?? []), ...(jobs.get(job) ?? [])].filter(
        ({ condition }) =>
          condition === undefined ||
          condition === ALWAYS ||
          condition === `github.event_name == '${event}'`,
      );
      expect(steps.length).toBeGreaterThan(1);
      let failed: Answer | undefined;
      for (const { script, condition } of steps) {
        if (failed !== undefined && condition !== ALWAYS) continue;
        const given = { ...settings, ...forEvent(event, stands), ...env };
        const { exitCode, text: line, stdout } = await stack.shell(script, given, stands);
        said.push(`$ ${script}\n${line}`);
        if (exitCode !== 0) failed ??= { exitCode, text: "", stdout };
      }
      return { exitCode: 0, stdout: "", ...failed, text: said.join("\n") };
    },
  };
}

async function startGithub(): Promise<Runner> {
  const stands = await makeTemporaryFolder();
  const github = await serveGithub();
  const environment = (event: Event) => ({
    GITHUB_STEP_SUMMARY: join(stands, "summary.md"),
    PROXYRENTAL_SHOW_BALANCE: String(event === "pull_request"),
    ...{ GITHUB_API_URL: github.url, GITHUB_TOKEN: TOKEN, GITHUB_REPOSITORY: "fleet/proxies" },
    GITHUB_REF: event === "pull_request" ? "refs/pull/7/merge" : "refs/heads/main",
  });
  const runner = await startRunner(readWorkflow(files.github), environment, stands);
  return { ...runner, comments: () => github.comments.map(({ body }) => body) };
}

async function startGitlab(): Promise<Runner> {
  const stands = await makeTemporaryFolder();
  const gitlab = await serveGitlab();
  const environment = (event: Event) => ({
    PROXYRENTAL_SHOW_BALANCE: String(event === "pull_request"),
    ...{ CI_API_V4_URL: gitlab.url, CI_PROJECT_ID: "5", GITLAB_TOKEN: TOKEN },
    CI_MERGE_REQUEST_IID: event === "pull_request" ? "7" : "",
  });
  const runner = await startRunner(readPipeline(files.gitlab), environment, stands);
  return { ...runner, comments: () => gitlab.comments.map(({ body }) => body) };
}

describe.each([
  ["examples/ci/github-actions.yml", startGithub],
  ["examples/ci/gitlab-ci.yml", startGitlab],
])("%s", (_file, start) => {
  it("writes a comment with what would be bought, and buys it by the plan after the approval", async () => {
    const { stack, simulator, run, comments, installs } = await start();
    const proposed = await run("preview", "pull_request");
    expect(proposed).toMatchObject({ exitCode: 0 });
    expect(proposed.text).toContain("✅ pulumi-proxyrental@v");
    expect(comments()).toEqual([
      expect.stringMatching(
        /^<!-- pulumi-proxyrental:cost tag -->\n\n### This run spends 11\.73 USD\n.*Balance: 1000\.00 USD before, 988\.27/s,
      ),
    ]);
    expect(proposed.text).not.toContain(TOKEN);
    const merged = await run("preview", "push");
    expect(merged.exitCode).toBe(0);
    expect(merged.text).not.toContain("Balance");
    expect(comments()).toHaveLength(1);
    expect(spendingOf(simulator)).toEqual(nothingSpent);

    // Something else is paid while the plan waits.
    simulator.placeForeignOrder({
      ...{ proxyType: "MOBILE", country: "USA", quantity: 1, rentPeriodDays: 30 },
    });
    const [elsewhere = ""] = spendingOf(simulator).charges;
    expect(await run("up", "push")).toMatchObject({ exitCode: 0 });
    const { charges, orderCalls } = spendingOf(simulator);
    expect([orderCalls, charges.toSorted()]).toEqual([2, [elsewhere, "4.83", "6.90"].toSorted()]);
    expect(await readFile(join(stack.folder, "plan.json"), "utf8")).not.toContain("balance");

    expect(await run("refresh", "schedule")).toMatchObject({ exitCode: 0 });
    const [proxy] = simulator.proxies().filter(({ autoExtend }) => autoExtend);
    simulator.setAutoExtension([proxy?.ipAddressId ?? ""], false);
    const drifted = await run("refresh", "schedule");
    expect(drifted.exitCode).not.toBe(0);
    expect(drifted.text).toMatch(/no changes were expected but changes/);
    expect(spendingOf(simulator)).toMatchObject({ orderCalls: 2, extendCalls: 0 });
    expect(await installs()).toBe("ci\n".repeat(5));
  });

  it("writes a comment, then stops above the limit; stops earlier if the preview is refused", async () => {
    const { simulator, run, comments } = await start();
    const dear = await run("preview", "pull_request", { SPEND_LIMIT: "11.72" });
    expect(dear.exitCode).toBe(2);
    expect(dear.text).toContain("Above --fail-above 11.72: this run may spend 11.73 USD.");
    expect(comments()).toEqual([expect.stringContaining("**Above --fail-above 11.72: ")]);
    const much = await run("preview", "push", { MONTHLY_LIMIT: "11.72" });
    expect(much.exitCode).toBe(2);
    expect(much.text).toContain("Above --fail-above-monthly 11.72: 11.73 USD are held per 30 days");

    // This is above the 25 USD of the program's own maxPrice.
    simulator.setPriceFactor("ISP", "10");
    const refused = await run("preview", "pull_request");
    expect(refused.exitCode).not.toBe(0);
    expect(refused.text).toContain("above the 25.00 USD that is allowed");
    expect(comments()).toHaveLength(1);
    expect(spendingOf(simulator)).toEqual(nothingSpent);
  });

  it("asks each day what an owner asks, spends nothing, and fails where somebody should look", async () => {
    const { simulator, run } = await start();
    const url = { PROXY_CHECK_URL: simulator.baseUrl };
    const well = await run("daily", "schedule", url);
    expect(well).toMatchObject({ exitCode: 0 });
    expect(well.text).toContain("Nothing needs to be done.");
    expect(well.text).toContain("Nothing to check: the account holds no proxy");

    const { ipAddressIds } = simulator.placeForeignOrder({
      ...{ proxyType: "IPv4", country: "USA", quantity: 1, rentPeriodDays: 30 },
    });
    simulator.setAutoExtension(ipAddressIds, true, 30);
    simulator.setBalance(0);
    simulator.advance({ days: 25 });
    const charged = simulator.ledger();
    const short = await run("daily", "schedule", url);
    expect(short.exitCode).not.toBe(0);
    expect(short.text).toContain("Within --fail-if-short 7: order ");
    // Nothing listens at the address: the simulator's proxies are only listed.
    expect(short.text).toMatch(/dead/);
    expect(simulator.ledger()).toEqual(charged);
    expect({ ...spendingOf(simulator), charges: [] }).toEqual(nothingSpent);
  });
});

it("both examples buy by the same command, which buys nothing if a price has changed since the plan", async () => {
  const [workflow, pipeline] = [readWorkflow(files.github), readPipeline(files.gitlab)];
  const scripts = (steps: readonly ShellStep[] = []) => steps.map(({ script }) => script);
  expect(scripts(workflow.get("up")).slice(1)).toEqual(scripts(pipeline.get("up")));
  const { simulator, run } = await startGithub();
  expect(await run("preview", "push")).toMatchObject({ exitCode: 0 });
  simulator.setPriceFactor("ISP", "1.01");
  const refused = await run("up", "push");
  expect(refused.exitCode).not.toBe(0);
  expect(refused.text).toMatch(/violates plan: properties changed: \S*quote/);
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("these tests run every command of the examples", () => {
  const read = [...readWorkflow(files.github).values()].flat();
  expect(read).toHaveLength(files.github.match(/\brun: /g)?.length ?? 0);
  const jobs = ["default", "preview", "up", "refresh", "daily"];
  const pipeline = readPipeline(files.gitlab);
  expect(jobs.map((job) => pipeline.get(job)?.length)).toEqual([1, 3, 1, 1, 1]);
});

it("the examples hold no key: it comes from each system's secrets", () => {
  const lines = Object.values(files).flatMap((file) => file.split("\n"));
  const secret = lines.filter((line) => /_KEY|PASSPHRASE|TOKEN/.test(line) && line[0] !== "#");
  expect(secret).toHaveLength(6);
  for (const line of secret) expect(line).toMatch(/: \$\{\{ (secrets\.\w+|github\.token) \}\}$/);
});

it("the daily job of both examples asks the same three questions", () => {
  for (const name of daily) {
    for (const file of Object.values(files)) {
      expect(file.match(new RegExp(`npx pulumi-proxyrental ${name}\\b`, "g"))).toHaveLength(1);
    }
  }
});
