import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { isComplete, type MakeOptions, publish } from "./cache.ts";
import { askVersion, cliName, hostName } from "./on-path.ts";
import { reportWhile } from "./progress.ts";
import { readSdkVersion } from "./shims.ts";
import { showVersion } from "./version.ts";

const installer = fileURLToPath(new URL("./official-install.ts", import.meta.url));

/** The limit is high enough for a slow line. If nothing arrives at all, the build does not wait for ever. */
const installTimeoutMs = 10 * 60 * 1000;

/** The CLI of the same release as the installed SDK. */
export const officialVersion = readSdkVersion();

/** The folder with the programs of an earlier download of that version, if there is one. */
export function findDownload(cacheDir: string): string | undefined {
  const binDir = join(cacheDir, nameFolder(), "bin");
  return isOfficial(binDir) ? binDir : undefined;
}

/** Downloads the official release. If that fails, throws an error with the reason in one line. */
export async function downloadToolchain({ cacheDir, env, log }: MakeOptions): Promise<string> {
  const folder = await publish(cacheDir, nameFolder(), {
    isComplete: (candidate) => isOfficial(join(candidate, "bin")),
    fill: (staging) =>
      reportWhile(`downloading pulumi ${officialVersion} from get.pulumi.com`, log, async () => {
        await install(staging, env);
        await checkAnswer(join(staging, "bin"));
      }),
  });
  return join(folder, "bin");
}

/**
 * Runs the installer in its own process, for two reasons. The Automation API has no way to stop it. And it takes a
 * second to load, which a run should not wait for if the CLI is already there.
 */
async function install(root: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { failed, timedOut, stderr } = await execa(
    process.execPath,
    [installer, root],
    // Node's fetch reads HTTPS_PROXY only with this variable. curl in the install script always reads it.
    {
      env: { ...env, NODE_USE_ENV_PROXY: "1" },
      extendEnv: false,
      reject: false,
      stdin: "ignore",
      timeout: installTimeoutMs,
    },
  );
  if (timedOut) throw new Error(`the download took longer than ${installTimeoutMs / 60_000} min`);
  if (failed) throw new Error(stderr.trim().split("\n").at(-1) ?? "the download failed");
}

/** Takes a CLI only if it runs: a damaged archive can sometimes still be unpacked. */
async function checkAnswer(binDir: string): Promise<void> {
  const version = showVersion(await askVersion(join(binDir, nameFile(cliName))));
  if (version !== officialVersion) {
    throw new Error(`the downloaded CLI says "${version}" instead of ${officialVersion}`);
  }
}

function isOfficial(binDir: string): boolean {
  return isComplete(binDir, [cliName, hostName].map(nameFile));
}

function nameFolder(): string {
  return `official-${officialVersion}-${process.platform}-${process.arch}`;
}

function nameFile(program: string): string {
  return process.platform === "win32" ? `${program}.exe` : program;
}
