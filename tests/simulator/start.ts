import { onTestFinished } from "vitest";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator/index.ts";

/** A simulator that stops with the test. */
export async function startForTest(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator(options);
  onTestFinished(() => simulator.stop());
  return simulator;
}
