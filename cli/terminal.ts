import { redactKey } from "../provider/client/index.ts";

/** Where a command reads its surroundings and writes what it has to say. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>;
  /** As it is, on standard output. */
  write(text: string): void;
  /** As it is, on standard error. */
  writeError(text: string): void;
  /** One line, or several, on standard output. */
  print(text: string): void;
  /** What this command ends with: 0 unless it is said. */
  endWith(exitCode: number): void;
}

/** The terminal of this process. Nothing that it writes holds the account's key, wherever a text came from. */
export function createTerminal(): Terminal {
  const { env: environment, stdout, stderr } = process;
  const { PROXYRENTAL_API_KEY: apiKey = "" } = environment;
  const redact = (text: string) => (apiKey === "" ? text : redactKey(text, apiKey));
  return {
    environment,
    write: (text) => void stdout.write(redact(text)),
    writeError: (text) => void stderr.write(redact(text)),
    print: (text) => void stdout.write(`${redact(text)}\n`),
    endWith: (exitCode) => {
      process.exitCode = exitCode;
    },
  };
}
