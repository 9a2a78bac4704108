import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { z } from "zod";
import { pulumiEnvironment } from "../toolchain/environment.ts";

/** A Pulumi stack with its own state. The real CLI runs it. */
export interface Stack {
  run(args: readonly string[]): Promise<void>;
  /** Every measured resource as the state stores it. */
  exportResources(): Promise<StoredResource[]>;
}

const storedResource = z.looseObject({
  type: z.string(),
  inputs: z.looseObject({ __provider: z.string().optional() }).optional(),
});

/** A resource as the state stores it. */
export type StoredResource = z.infer<typeof storedResource>;

const exportSchema = z.object({ deployment: z.object({ resources: z.array(storedResource) }) });

export interface StackPlace {
  /** The folder of the project. */
  projectDir: string;
  /** The folder for the state and for the CLI's own files. */
  stateDir: string;
  /** The folder with the CLI. */
  binDir: string;
  /** The environment variables for the provider. */
  env: Record<string, string>;
}

export async function createStack({
  projectDir,
  stateDir,
  binDir,
  env: extra,
}: StackPlace): Promise<Stack> {
  const home = join(stateDir, "home");
  const backendDir = join(stateDir, "backend");
  await mkdir(backendDir, { recursive: true });
  const env = pulumiEnvironment({ binDir, home, backendDir, extra });
  const pulumi = (args: readonly string[]) =>
    execa("pulumi", [...args, "--non-interactive"], {
      cwd: projectDir,
      env,
      extendEnv: false,
      preferLocal: false,
      all: true,
    });
  await pulumi(["stack", "init", "bench"]);
  return {
    async run(args) {
      await pulumi([...args, "--stack", "bench"]);
    },
    async exportResources() {
      const { stdout } = await pulumi(["stack", "export", "--stack", "bench"]);
      const { deployment } = exportSchema.parse(JSON.parse(stdout));
      return deployment.resources.filter(({ type }) =>
        /^(pulumi-nodejs:dynamic|proxyrental:index)[/:]/.test(type),
      );
    },
  };
}
