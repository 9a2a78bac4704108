import { chmod, copyFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { execa } from "execa";
import { hashParts, isComplete, type MakeOptions, publish } from "./cache.ts";
import {
  type GoProgram,
  goPrograms,
  listBuildArguments,
  readInputs,
  readVersion,
} from "./go-program.ts";
import { type Log, reportWhile } from "./progress.ts";
import { readShims, shimNames, writeShims } from "./shims.ts";
import { isAtLeast, minimumGo, showVersion } from "./version.ts";

const binaryNames = [...goPrograms.map((program) => program.name), ...shimNames];

// Only go.mod decides what is built: no workspace around the clone, no flags of the machine, no C compiler, and no
// other Go than the one that was just checked.
const goEnvironment = {
  GOWORK: "off",
  GOFLAGS: "-mod=readonly",
  CGO_ENABLED: "0",
  GOTOOLCHAIN: "local",
};

/** The version of the built CLI. */
export function readBuiltVersion(): string {
  const [cli] = goPrograms;
  if (cli === undefined) throw new Error("there is nothing to build");
  return readVersion(cli);
}

/** The folder with the programs of an earlier build of the same inputs, if there is one. */
export function findBuild(cacheDir: string): string | undefined {
  const binDir = join(cacheDir, computeKey(), "bin");
  return isComplete(binDir, binaryNames) ? binDir : undefined;
}

/** Builds all programs from the Go module proxy. If that fails, throws an error with the reason in one line. */
export async function buildToolchain({ cacheDir, env, log }: MakeOptions): Promise<string> {
  const goEnv = await prepareGo(env);
  const folder = await publish(cacheDir, computeKey(), {
    isComplete: (candidate) => isComplete(join(candidate, "bin"), binaryNames),
    fill: async (staging) => {
      const binDir = join(staging, "bin");
      await mkdir(binDir);
      for (const [index, program] of goPrograms.entries()) {
        const title = `step ${index + 1} of ${goPrograms.length}`;
        await buildProgram(program, { binDir, goEnv, title, log });
      }
      await writeShims(binDir);
    },
  });
  return join(folder, "bin");
}

/**
 * Builds one program that is no part of the CLI, unless it is there. Throws like `buildToolchain`.
 * @param purpose what it is for, to be said while it is built
 */
export async function ensureProgram(
  program: GoProgram,
  { cacheDir, env, log }: MakeOptions,
  purpose = "for tests of journal stores",
): Promise<string> {
  const scripts = program.scripts?.map((path) => basename(path)) ?? [];
  const key = `${program.name}-${hashParts(new Map([...readInputs(program), thisPlatform]))}`;
  const isBuilt = (folder: string) => isComplete(folder, [program.name, ...scripts]);
  const folder = join(cacheDir, key);
  if (isBuilt(folder)) return join(folder, program.name);
  const goEnv = await prepareGo(env);
  const fill = (binDir: string) => buildProgram(program, { binDir, goEnv, title: purpose, log });
  return join(await publish(cacheDir, key, { isComplete: isBuilt, fill }), program.name);
}

/** Checks that this machine's Go can build, and returns its environment. */
async function prepareGo(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const goEnv = { ...env, ...goEnvironment };
  const obstacle = judgeGo(await askGoVersion(goEnv), process.platform);
  if (obstacle !== undefined) throw new Error(obstacle);
  return goEnv;
}

/** Why this machine can't build. Undefined if it can. */
export function judgeGo(answer: string | undefined, platform: string): string | undefined {
  // The shims are shell scripts.
  if (platform === "win32") return "the build does not run on Windows";
  if (answer === undefined) return "no go on PATH";
  if (isAtLeast(answer, minimumGo)) return undefined;
  return `go ${showVersion(answer)} is older than ${minimumGo}`;
}

async function buildProgram(
  program: GoProgram,
  options: { binDir: string; goEnv: NodeJS.ProcessEnv; title: string; log: Log },
): Promise<void> {
  const { binDir, goEnv, title, log } = options;
  const version = readVersion(program);
  await reportWhile(`building ${program.name} ${version}, ${title}`, log, async (tell) => {
    const go = execa("go", listBuildArguments(program, version, binDir), {
      cwd: program.folder,
      env: goEnv,
      extendEnv: false,
      reject: false,
      stdin: "ignore",
    });
    go.stderr.on("data", (chunk: Buffer) => tell(lastLine(chunk.toString())));
    const { failed, stderr } = await go;
    if (failed) throw new Error(`go build of ${program.name} failed: ${lastLine(stderr)}`);
  });
  for (const script of program.scripts ?? []) await copyScript(program, script, binDir, goEnv);
}

async function copyScript(
  program: GoProgram,
  path: string,
  binDir: string,
  goEnv: NodeJS.ProcessEnv,
): Promise<void> {
  const options = { cwd: program.folder, env: goEnv, extendEnv: false };
  const { stdout } = await execa("go", ["list", "-m", "-f", "{{.Dir}}", program.module], options);
  const copy = join(binDir, basename(path));
  await copyFile(join(stdout, path), copy);
  await chmod(copy, 0o755);
}

async function askGoVersion(goEnv: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { stdout, failed } = await execa("go", ["env", "GOVERSION"], {
    // The caller's folder may have a go.mod that asks for another Go, and the command would fail. So it runs elsewhere.
    cwd: tmpdir(),
    env: goEnv,
    extendEnv: false,
    reject: false,
  });
  return failed ? undefined : stdout;
}

/** Several machines can share one home folder. */
const thisPlatform = ["platform", `${process.platform}-${process.arch}`] as const;

function computeKey(): string {
  return hashParts(new Map([...goPrograms.flatMap(readInputs), ...readShims(), thisPlatform]));
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
