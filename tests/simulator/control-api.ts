import type { Simulator, SimulatorOptions } from "../../simulator/index.ts";
import { startForTest } from "./start.ts";

/** An answer of the control API. */
export interface DoorAnswer {
  status: number;
  headers: Headers;
  /** The parsed body; undefined if it is empty. If a test reads a missing field, it finds undefined and fails. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the body of any answer.
  body: any;
}

export interface ControlApi {
  simulator: Simulator;
  call(method: string, path: string, body?: unknown, headers?: object): Promise<DoorAnswer>;
}

/** A simulator with its control API open. */
export async function openControlApi(options: SimulatorOptions = {}): Promise<ControlApi> {
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
