import { cp, mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { pulumiEnvironment } from "../../toolchain/environment.ts";
import { keyServiceProvider } from "./key-service.ts";

/**
 * Lets the CLI make the stack `dev` of a project `fleet`, once for all tests. An unused stack is the same everywhere,
 * and each command of the CLI takes a quarter of a second.
 * @returns its folder, with `backend` and `project` as the CLI has made them.
 */
export async function makeNewStack(binDir: string, keyServiceUrl: string): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "proxyrental-new-stack-")));
  const project = join(folder, "project");
  const home = join(folder, "home");
  const backendDir = join(folder, "backend");
  for (const made of [project, home, backendDir]) await mkdir(made);
  await writeFile(join(project, "Pulumi.yaml"), "name: fleet\nruntime: yaml\n");
  const env = pulumiEnvironment({
    ...{ binDir, home, backendDir },
    extra: { VAULT_SERVER_URL: keyServiceUrl },
  });
  const args = ["stack", "init", "dev", "--secrets-provider", keyServiceProvider];
  await execa(join(binDir, "pulumi"), [...args, "--non-interactive"], {
    ...{ cwd: project, env, extendEnv: false, stdin: "ignore" },
  });
  return folder;
}

/** Copies the new stack into the project and the backend of a test. */
export async function copyNewStack(
  newStackDir: string,
  { folder, backendDir }: { folder: string; backendDir: string },
): Promise<void> {
  await cp(join(newStackDir, "backend"), backendDir, { recursive: true });
  await copySettings(join(newStackDir, "project"), folder);
}

/** Copies the settings of the stack from one checkout into another. */
export async function copySettings(from: string, to: string): Promise<void> {
  const settings = "Pulumi.dev.yaml";
  await cp(join(from, settings), join(to, settings));
}
