import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Simulator } from "../../simulator/index.ts";

/** The texts that must appear nowhere: the API key and every password, plain, in JSON and in a URL. */
export function secretsOf(simulator: Simulator): ReadonlySet<string> {
  const passwords = simulator.proxies().map((proxy) => proxy.password);
  return new Set(
    [simulator.apiKey, ...passwords].flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
    ]),
  );
}

/** The places in which any of these secrets stands. Of the secret itself only the first characters are shown. */
export function findLeaks(
  secrets: ReadonlySet<string>,
  texts: Iterable<readonly [where: string, text: string]>,
): string[] {
  return Array.from(texts).flatMap(([where, text]) =>
    Array.from(secrets)
      .filter((secret) => text.includes(secret))
      .map((secret) => `${secret.slice(0, 4)}… in ${where}: ${around(text, secret)}`),
  );
}

/** Every file below a folder with its text. Links are not followed. */
export async function readTree(folder: string): Promise<[path: string, text: string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async (entry): Promise<[string, string]> => {
      const path = join(entry.parentPath, entry.name);
      return [path, await readFile(path, "utf8")];
    }),
  );
}

function around(text: string, secret: string): string {
  const at = text.indexOf(secret);
  return `…${text.slice(Math.max(0, at - 60), at)}[here]`;
}
