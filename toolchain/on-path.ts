import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { execa } from "execa";
import { isAtLeast, minimumCli, showVersion } from "./version.ts";

export const cliName = "pulumi";
/** The host that every program here needs. A CLI without the YAML host is also taken: only YAML programs need that. */
export const hostName = "pulumi-language-nodejs";

const answerTimeoutMs = 10_000;

/** The first `pulumi` on PATH. */
interface CliOnPath {
  readonly binDir: string;
  /** The output of `pulumi version`; empty if the CLI did not answer. */
  readonly answer: string;
  readonly hasLanguageHost: boolean;
}

type Verdict =
  | { readonly use: true; readonly binDir: string; readonly version: string }
  | { readonly use: false; readonly reason: string };

/** Decides whether the CLI that the machine already has is used. */
export function judgeCliOnPath(found: CliOnPath | undefined): Verdict {
  if (found === undefined) return { use: false, reason: "no pulumi on PATH" };
  const { binDir, answer, hasLanguageHost } = found;
  if (!isAtLeast(answer, minimumCli)) {
    const version = answer.trim() === "" ? "of unknown version" : showVersion(answer);
    return { use: false, reason: `pulumi ${version} in ${binDir} is older than ${minimumCli}` };
  }
  if (!hasLanguageHost) {
    return { use: false, reason: `pulumi in ${binDir} comes without ${hostName}` };
  }
  return { use: true, binDir, version: showVersion(answer) };
}

/** Looks for a CLI on the machine. Undefined if no `pulumi` is on the given PATH. */
export async function findCliOnPath(path: string): Promise<CliOnPath | undefined> {
  const cli = findExecutable(cliName, path);
  if (cli === undefined) return undefined;
  // The engine looks for its language host on PATH first, then beside the program that a link points to.
  const host = findExecutable(hostName, [path, dirname(realpathSync(cli))].join(delimiter));
  return {
    binDir: dirname(cli),
    answer: await askVersion(cli),
    hasLanguageHost: host !== undefined,
  };
}

/** The output of `<cli> version`. Empty if it fails or does not answer in time. */
export async function askVersion(cli: string): Promise<string> {
  const { stdout, failed } = await execa(cli, ["version"], {
    env: { PULUMI_SKIP_UPDATE_CHECK: "true" },
    reject: false,
    timeout: answerTimeoutMs,
  });
  return failed ? "" : stdout;
}

/** The first executable file with that name in a list of folders like PATH. */
export function findExecutable(name: string, path: string): string | undefined {
  const fileName = process.platform === "win32" ? `${name}.exe` : name;
  return path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, fileName))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
