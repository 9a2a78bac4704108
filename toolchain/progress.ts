/** Takes one line for a person to read. */
export type Log = (line: string) => void;

const everyMs = 10_000;

/** Logs what is going on and, every ten seconds, how long it has taken so far. */
export async function reportWhile<T>(
  what: string,
  log: Log,
  work: (tell: (detail: string) => void) => Promise<T>,
): Promise<T> {
  const startedMs = Date.now();
  let detail = "";
  const seconds = () => Math.round((Date.now() - startedMs) / 1000);
  log(`${what} ...`);
  const timer = setInterval(() => {
    log(`${what}: ${seconds()} s${detail === "" ? "" : ` (${detail})`}`);
    detail = "";
  }, everyMs);
  try {
    const result = await work((latest) => {
      detail = latest;
    });
    log(`${what}: done in ${seconds()} s`);
    return result;
  } finally {
    clearInterval(timer);
  }
}

/** Says on standard error what takes time. */
export function logToStderr(line: string): void {
  process.stderr.write(`toolchain: ${line}\n`);
}
