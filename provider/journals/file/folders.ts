import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "./disk.ts";

/** Names of this machine. A service under one of them is the same service under the others. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The folder of one service's journal on this machine. */
export function journalFolder(journalDir: string, baseUrl: string): string {
  return join(journalDir, serviceFolder(baseUrl));
}

/**
 * The name of one service's journal, wherever it is kept. It is the host, for people, and a digest of the whole address,
 * because two services may share a host. The API key has no part in it, so a new key does not change the journal.
 */
export function serviceFolder(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (LOOPBACK.test(url.hostname)) url.hostname = "127.0.0.1";
  const { host, origin, pathname } = url;
  const address = `${origin}${pathname.replace(/\/+$/, "")}`;
  const digest = createHash("sha256").update(address).digest("hex").slice(0, 8);
  return `${host.replace(/[^\w.-]/g, "_")}-${digest}`;
}

/** Whether this is the name of some service's journal. */
export function isServiceFolder(name: string): boolean {
  return /-[0-9a-f]{8}$/.test(name);
}

/** The folders of all journals, sorted by name; none if there is no such folder. */
export async function findJournalFolders(journalDir: string): Promise<string[]> {
  try {
    const entries = await readdir(journalDir, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && isServiceFolder(entry.name))
      .map((entry) => join(journalDir, entry.name))
      .sort();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
