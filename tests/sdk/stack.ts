import * as pulumi from "@pulumi/pulumi";
import { onTestFinished, vi } from "vitest";
import type { Simulator, SimulatorOptions } from "../../simulator/index.ts";
import { startForTest } from "../simulator/start.ts";

type Sdk = typeof import("../../sdk/index.ts");

/** Loads the sdk anew for a program. The stack is configured for a service. */
export async function openStack(config: Record<string, string>): Promise<Sdk> {
  const before = pulumi.runtime.allConfig();
  const named = Object.entries(config).map(([key, value]) => [`proxyrental:${key}`, value]);
  pulumi.runtime.setAllConfig(Object.fromEntries(named));
  onTestFinished(() => pulumi.runtime.setAllConfig(before));
  // The sdk opens its account only once for each program.
  vi.resetModules();
  return import("../../sdk/index.ts");
}

/** A stack with a simulator as its service. */
export async function openStackOnSimulator(
  options: SimulatorOptions = {},
): Promise<{ sdk: Sdk; simulator: Simulator }> {
  const simulator = await startForTest(options);
  const { baseUrl, apiKey } = simulator;
  return { sdk: await openStack({ baseUrl, apiKey }), simulator };
}

/** The value that an output resolves to. */
export function settle<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => {
    output.apply((value) => resolve(value as Value));
  });
}
