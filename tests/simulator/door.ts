import type { Simulator, SimulatorOptions } from "../../simulator/index.ts";
import { startForTest } from "./start.ts";

/** What the control door said. */
export interface DoorAnswer {
  status: number;
  headers: Headers;
  /** Parsed; undefined where there is nothing. A test that reads what is not there finds undefined and fails. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the door may say, a test looks into it.
  body: any;
}

export interface Door {
  simulator: Simulator;
  call(method: string, path: string, body?: unknown, headers?: object): Promise<DoorAnswer>;
}

/** A simulator with its control door open. */
export async function openDoor(options: SimulatorOptions = {}): Promise<Door> {
  const simulator = await startForTest({ ...options, control: true });
  return {
    simulator,
    async call(method, path, body, headers = {}) {
      const response = await fetch(`${simulator.controlUrl}${path}`, {
        method,
        headers: { ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const { status } = response;
      return {
        status,
        headers: response.headers,
        body: text === "" ? undefined : JSON.parse(text),
      };
    },
  };
}
