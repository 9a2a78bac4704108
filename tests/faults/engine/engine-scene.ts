import type { Simulator } from "../../../simulator/index.ts";
import { createStack, type Stack, type StackOptions } from "../../support/stack.ts";
import { heldNumbers, type Outcome, type Scene } from "../invariants.ts";

/** Short, so that a test does not wait long for a lost answer. */
const quick = { PROXYRENTAL_TIMEOUT_SECONDS: "2", PROXYRENTAL_SETTLING_SECONDS: "2" };

/** Makes a stack with short deadlines, and its scene. */
export async function createScene(options: StackOptions): Promise<{ stack: Stack; scene: Scene }> {
  const stack = await createStack({ ...options, env: { ...quick, ...options.env } });
  return { stack, scene: sceneOf(options.simulator, [stack], stack.journalDir) };
}

/** A scene of stacks that share an account and a journal, as on one machine. */
export function sceneOf(simulator: Simulator, stacks: readonly Stack[], journalDir: string): Scene {
  const openingBalance = simulator.balance();
  return {
    simulator,
    openingBalance,
    journalDir,
    get outcomes() {
      return stacks.flatMap((stack) => stack.outcomes.map(toOutcome));
    },

    async state() {
      const states = await Promise.all(stacks.map((stack) => stack.state()));
      const held = states
        .flatMap(({ resources }) => resources)
        .filter(({ type }) => type.endsWith(":ProxyOrder"))
        .flatMap(({ outputs }) => heldNumbers(outputs));
      return { held, text: JSON.stringify(states) };
    },

    async rerun() {
      const answers = [];
      for (const stack of stacks) {
        answers.push(await stack.run("up --yes --skip-preview --suppress-progress"));
      }
      return {
        failed: answers.some(({ exitCode }) => exitCode !== 0),
        text: answers.map(({ text }) => text).join("\n"),
      };
    },

    async isSettled() {
      const plans = await Promise.all(stacks.map((stack) => stack.plan()));
      return plans.every(({ changes }) => Object.keys(changes).join() === "same");
    },
  };
}

function toOutcome({ exitCode, text, tookMs }: Stack["outcomes"][number]): Outcome {
  return { failed: exitCode !== 0, text, tookMs };
}
