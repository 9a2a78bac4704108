import { redactKey } from "../../provider/client/index.ts";
import type { Terminal } from "../terminal.ts";

const tokens = ["GITHUB_TOKEN", "GITLAB_TOKEN", "CI_JOB_TOKEN"] as const;

/** Takes the account's key and the tokens of this job out of a text. The terminal does so for the key only. */
export function createRedaction(environment: Terminal["environment"]): (text: string) => string {
  const { PROXYRENTAL_API_KEY: apiKey = "" } = environment;
  // What is shorter is no token, and may be a part of any word.
  const given = tokens
    .flatMap((name) => environment[name] ?? [])
    .filter(({ length }) => length > 7);
  return (text) => {
    const withoutTokens = given.reduce((rest, token) => rest.replaceAll(token, "[token]"), text);
    return apiKey === "" ? withoutTokens : redactKey(withoutTokens, apiKey);
  };
}
