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
  /**
   * Shows how far a command has come, in place of what it showed before. Only a person at a terminal sees it: a pipe gets
   * nothing. The next output takes it away.
   */
  showProgress(text: string): void;
  /** Sets the exit code of this command. The default is 0. */
  endWith(exitCode: number): void;
}

/** What a terminal needs of its process. */
interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  stdout: Sink;
  stderr: Sink & { isTTY?: boolean };
  exitCode?: number | string | null | undefined;
}

interface Sink {
  write(text: string): unknown;
}

/** Goes back to the beginning of the line, and empties it. */
const CLEAR_LINE = "\r\u001b[2K";

/** The terminal of a process. It never writes the account's key, wherever a text comes from. */
export function createTerminal(surroundings: Surroundings): Terminal {
  const { env: environment, stdout, stderr } = surroundings;
  const { PROXYRENTAL_API_KEY: apiKey = "" } = environment;
  const redact = (text: string) => (apiKey === "" ? text : redactKey(text, apiKey));
  let isShowing = false;
  function takeAway(): void {
    if (isShowing) stderr.write(CLEAR_LINE);
    isShowing = false;
  }
  function write(sink: Sink, text: string): void {
    takeAway();
    sink.write(redact(text));
  }
  return {
    environment,
    write: (text) => write(stdout, text),
    writeError: (text) => write(stderr, text),
    print: (text) => write(stdout, `${text}\n`),
    showProgress(text) {
      if (stderr.isTTY !== true) return;
      stderr.write(`${CLEAR_LINE}${redact(text)}`);
      isShowing = true;
    },
    endWith: (exitCode) => {
      surroundings.exitCode = exitCode;
    },
  };
}
