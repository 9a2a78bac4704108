import { expect, onTestFinished } from "vitest";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator/index.ts";
import { findUndocumentedAnswers } from "./documented-answers.ts";

/** A simulator that stops with the test. At the end its answers are compared with its OpenAPI document. */
export async function startForTest(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator(options);
  onTestFinished(async () => {
    await simulator.stop();
    expect(findUndocumentedAnswers(simulator)).toEqual([]);
  });
  return simulator;
}
