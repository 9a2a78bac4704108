import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { isComplete, type MakeOptions, publish } from "./cache.ts";
import { askVersion, cliName, hostName } from "./on-path.ts";
import { reportWhile } from "./progress.ts";
import { readSdkVersion } from "./shims.ts";
import { showVersion } from "./version.ts";

const installer = fileURLToPath(new URL("./official-install.ts", import.meta.url));

/** A slow line gets through; a line on which nothing moves does not block the build for ever. */
const installTimeoutMs = 10 * 60 * 1000;

/** The CLI of the same release as the installed SDK. */
export const officialVersion = readSdkVersion();

/** Folder with the binaries of an earlier download of that version, if there is one. */
export function findDownload(cacheDir: string): string | undefined {
  const binDir = join(cacheDir, nameFolder(), "bin");
  return isOfficial(binDir) ? binDir : undefined;
}

/** Downloads the official release. Throws one line that says what is in the way. */
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
 * The installer gets a process of its own: the Automation API has no way to stop it, and it takes a
 * second to load, which a run with everything in place shall not wait for.
 */
async function install(root: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { failed, timedOut, stderr } = await execa(
    process.execPath,
    [installer, root],
    // Node's fetch looks at HTTPS_PROXY only when told to; curl in the install script does anyway.
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

/** An archive that arrived damaged may still unpack: only a CLI that runs is taken. */
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
