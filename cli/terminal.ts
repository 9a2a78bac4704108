import { redactKey } from "../provider/client/index.ts";

/** Where a command reads its environment and writes its output. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>;
  /** Writes a text as it is to standard output. */
  write(text: string): void;
  /** Writes a text as it is to standard error. */
  writeError(text: string): void;
  /** Writes one line or several to standard output. */
  print(text: string): void;
  /** Sets the exit code of this command. The default is 0. */
  endWith(exitCode: number): void;
}

/** What a terminal needs of its process. */
interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  stdout: Sink;
  stderr: Sink;
  exitCode?: number | string | null | undefined;
}

interface Sink {
  write(text: string): unknown;
}

/** The terminal of a process. It never writes the account's key, wherever a text comes from. */
export function createTerminal(surroundings: Surroundings): Terminal {
  const { env: environment, stdout, stderr } = surroundings;
  const { PROXYRENTAL_API_KEY: apiKey = "" } = environment;
  const redact = (text: string) => (apiKey === "" ? text : redactKey(text, apiKey));
  return {
    environment,
    write: (text) => void stdout.write(redact(text)),
    writeError: (text) => void stderr.write(redact(text)),
    print: (text) => void stdout.write(`${redact(text)}\n`),
    endWith: (exitCode) => {
      surroundings.exitCode = exitCode;
    },
  };
}
