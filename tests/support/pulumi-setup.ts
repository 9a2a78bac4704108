import { rm } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { ensurePulumi } from "../../toolchain/pulumi-cli.ts";
import { startKeyService } from "./key-service.ts";
import { serveLateValues } from "./late-values.ts";
import { makeNewStack } from "./new-stack.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder with the real Pulumi CLI. */
    pulumiBinDir: string;
    /** Its version. */
    pulumiVersion: string;
    /** The address of the key service for the stacks' secrets. */
    keyServiceUrl: string;
    /** The port of the provider whose values no preview knows. The engine attaches to it. */
    lateValuesPort: number;
    /** The folder of a stack as `pulumi stack init` makes it; see `makeNewStack`. */
    newStackDir: string;
  }
}

/** Finds or builds the real CLI once, before any engine test. Starts the services that all engine tests share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { binDir, version } = await ensurePulumi();
  project.provide("pulumiBinDir", binDir);
  project.provide("pulumiVersion", version);
  const keys = await startKeyService();
  project.provide("keyServiceUrl", keys.url);
  const newStackDir = await makeNewStack(binDir, keys.url);
  project.provide("newStackDir", newStackDir);
  const lateValues = await serveLateValues();
  project.provide("lateValuesPort", lateValues.port);
  return async () => {
    keys.stop();
    lateValues.stop();
    await rm(newStackDir, { recursive: true, force: true });
  };
}
