import type { TestProject } from "vitest/node";
import { ensurePulumi } from "../../toolchain/pulumi-cli.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder with the real Pulumi CLI. */
    pulumiBinDir: string;
  }
}

/** Finds or builds the real CLI once, before any engine test. */
export default async function setup(project: TestProject): Promise<void> {
  const { binDir } = await ensurePulumi();
  project.provide("pulumiBinDir", binDir);
}
