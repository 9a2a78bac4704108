import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { messageOf } from "../../provider/core/values/message-of.ts";
import { assertSupportedNode } from "../../provider/host/node-version.ts";
import type { Found } from "./findings.ts";

/** Looks at the programs that the provider needs on this machine. */
export async function lookAround(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Found[]> {
  return [judgeNode(process.versions.node), judgeCli(await askCliVersion(environment))];
}

/** Whether this Node.js is new enough. */
function judgeNode(version: string): Found {
  const about = "node";
  try {
    assertSupportedNode(version);
    return { about, mark: "well", text: `Node.js is ${version}.` };
  } catch (error) {
    return {
      about,
      mark: "wrong",
      text: messageOf(error),
      todo: "Put a newer node first on PATH.",
    };
  }
}

/** What `pulumi version` said, or why it said nothing. */
type CliVersion = { version: string } | { reason: string };

/** Long enough for a machine that is busy: the CLI may look for a newer release meanwhile. */
const CLI_TIMEOUT_MS = 30_000;

async function askCliVersion(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<CliVersion> {
  try {
    const env = { ...environment, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const { stdout } = await promisify(execFile)("pulumi", ["version"], {
      env,
      timeout: CLI_TIMEOUT_MS,
    });
    return { version: stdout.trim() };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return {
      reason:
        code === "ENOENT" ? "there is none on PATH" : `it failed (${code ?? "it took too long"})`,
    };
  }
}

/** The oldest CLI that the package is tested with. */
const LEAST_CLI = { major: 3, minor: 220 };

/** Whether the Pulumi CLI is there, and new enough. */
function judgeCli(told: CliVersion): Found {
  const about = "cli";
  const least = `${LEAST_CLI.major}.${LEAST_CLI.minor}`;
  const install = "Install the Pulumi CLI: https://www.pulumi.com/docs/iac/download-install/";
  if ("reason" in told) {
    return {
      about,
      mark: "look",
      text: `The Pulumi CLI can't be asked for its version: ${told.reason}.`,
      todo: install,
    };
  }
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(told.version) ?? [];
  if (major === undefined) {
    return {
      about,
      mark: "look",
      text: "What `pulumi version` says is no version.",
      todo: install,
    };
  }
  const isOld =
    Number(major) < LEAST_CLI.major ||
    (Number(major) === LEAST_CLI.major && Number(minor) < LEAST_CLI.minor);
  if (isOld) {
    return {
      about,
      mark: "look",
      text: `The Pulumi CLI is ${told.version}, and this package is tested with ${least} and newer.`,
      todo: install,
    };
  }
  return { about, mark: "well", text: `The Pulumi CLI is ${told.version}.` };
}
