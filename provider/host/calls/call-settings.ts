import { resolve } from "node:path";
import { environmentVariables } from "../setting-names.ts";

/** Where each call is written down, and how much of it. */
export interface CallSettings {
  /** An absolute path. */
  file: string;
  /** Whether bodies are written too. */
  bodies: boolean;
}

/** What a user is told of each variable: meaning and default. */
export const callSpecs: Readonly<Record<keyof typeof environmentVariables, string>> = {
  calls:
    "A file to which each call of the service is appended as a line of JSON: what was called, how long it took, and how it ended; without key and logins. Default: none.",
  callsBodies:
    "`true` writes there also what was sent and answered, without key and logins. Default: `false`.",
};

/**
 * Reads which record of calls is wanted; undefined if none is. An empty variable counts as not set: nothing is lost by that.
 * @returns also what is wrong, as sentences
 */
export function readCallSettings(environment: Readonly<Record<string, string | undefined>>): {
  calls: CallSettings | undefined;
  problems: string[];
} {
  const file = environment[environmentVariables.calls] ?? "";
  const bodies = environment[environmentVariables.callsBodies] ?? "";
  if (!["", "true", "false"].includes(bodies)) {
    const problem = `${environmentVariables.callsBodies} is not accepted: set it to true or false`;
    return { calls: undefined, problems: [problem] };
  }
  if (file === "") return { calls: undefined, problems: [] };
  return { calls: { file: resolve(file), bodies: bodies === "true" }, problems: [] };
}
