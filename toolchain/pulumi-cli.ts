import { locateCache, type MakeOptions } from "./cache.ts";
import { downloadToolchain, findDownload, officialVersion } from "./download.ts";
import { buildToolchain, findBuild, readBuiltVersion } from "./go-build.ts";
import { findCliOnPath, judgeCliOnPath } from "./on-path.ts";
import { type Log, logToStderr } from "./progress.ts";
import {
  type Attempt,
  describeFailure,
  parseSkip,
  planSearch,
  type Source,
  type Step,
  skipVariable,
} from "./source.ts";

interface EnsurePulumiOptions {
  /**
   * PATH, HOME, XDG_CACHE_HOME and PROXYRENTAL_TOOLCHAIN_SKIP are read from it. The tools that make a CLI also run
   * in it.
   * @default process.env
   */
  readonly env?: NodeJS.ProcessEnv;
  /**
   * Takes the progress, line by line. If the CLI is already there, nothing is logged.
   * @default lines on stderr
   */
  readonly log?: Log;
}

interface PulumiCli {
  /** The folder with `pulumi` and all programs that it starts. If the CLI was found on PATH, only `pulumi` is sure. */
  readonly binDir: string;
  readonly source: Source;
  readonly version: string;
}

/**
 * Finds a real Pulumi CLI with its Node.js language host on PATH, or makes one: by the official download, or from Go
 * sources. These two also bring the YAML host. The first call on a machine can take minutes; later calls are quick.
 * Throws an error that names every way out if no source gives a CLI.
 */
export async function ensurePulumi(options: EnsurePulumiOptions = {}): Promise<PulumiCli> {
  const { env = process.env, log = logToStderr } = options;
  const cacheDir = locateCache(env);
  const attempts: Attempt[] = [];
  for (const step of planSearch(parseSkip(env[skipVariable]))) {
    const result = await take(step, { env, log, cacheDir });
    if (typeof result === "object") return result;
    if (result !== undefined) attempts.push({ source: step.source, reason: result });
  }
  throw new Error(describeFailure(attempts));
}

/** The CLI; or the reason why the step gives none; or undefined if there is nothing to report. */
async function take(
  { kind, source }: Step,
  surroundings: MakeOptions,
): Promise<PulumiCli | string | undefined> {
  const { env, log, cacheDir } = surroundings;
  if (source === "path") return takeFromPath(env.PATH ?? "", log);
  const version = source === "download" ? officialVersion : readBuiltVersion();
  if (kind === "find") {
    const binDir = source === "download" ? findDownload(cacheDir) : findBuild(cacheDir);
    return binDir === undefined ? undefined : { binDir, source, version };
  }
  try {
    const make = source === "download" ? downloadToolchain : buildToolchain;
    return { binDir: await make(surroundings), source, version };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log(`no ${source}: ${reason}`);
    return reason;
  }
}

async function takeFromPath(path: string, log: Log): Promise<PulumiCli | string> {
  const found = await findCliOnPath(path);
  const verdict = judgeCliOnPath(found);
  if (verdict.use) return { binDir: verdict.binDir, source: "path", version: verdict.version };
  // A machine without a CLI is normal. If there is one and it is not used, the user must know why.
  if (found !== undefined) log(verdict.reason);
  return verdict.reason;
}
