import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { execa } from "execa";
import { isAtLeast, minimumCli, showVersion } from "./version.ts";

export const cliName = "pulumi";
/** The host that everything here needs. A CLI without the one for YAML is taken too: only YAML programs miss it. */
export const hostName = "pulumi-language-nodejs";

const answerTimeoutMs = 10_000;

/** What the first `pulumi` on PATH turned out to be. */
interface CliOnPath {
  readonly binDir: string;
  /** What `pulumi version` printed; empty when it did not answer. */
  readonly answer: string;
  readonly hasLanguageHost: boolean;
}

type Verdict =
  | { readonly use: true; readonly binDir: string; readonly version: string }
  | { readonly use: false; readonly reason: string };

/** The decision about the CLI that the machine already has. */
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

/** Looks at the machine; undefined when no `pulumi` is on the given PATH. */
export async function findCliOnPath(path: string): Promise<CliOnPath | undefined> {
  const cli = findExecutable(cliName, path);
  if (cli === undefined) return undefined;
  // The engine looks for its language host on PATH, then beside the program that a link points to.
  const host = findExecutable(hostName, [path, dirname(realpathSync(cli))].join(delimiter));
  return {
    binDir: dirname(cli),
    answer: await askVersion(cli),
    hasLanguageHost: host !== undefined,
  };
}

/** What `<cli> version` prints; empty when it fails or does not answer in time. */
export async function askVersion(cli: string): Promise<string> {
  const { stdout, failed } = await execa(cli, ["version"], {
    env: { PULUMI_SKIP_UPDATE_CHECK: "true" },
    reject: false,
    timeout: answerTimeoutMs,
  });
  return failed ? "" : stdout;
}

/** The first executable file of that name on a PATH-like list. */
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
