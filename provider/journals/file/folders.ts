import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "./disk.ts";

/** Names of this machine itself: a service behind one of them is the same behind the others. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The folder of one service's journal: its host for people, and a digest of its whole address, since two
 * services may share a host. The API key has no part in it: a key that is changed leaves the journal as it is.
 */
export function journalFolder(journalDir: string, baseUrl: string): string {
  const url = new URL(baseUrl);
  if (LOOPBACK.test(url.hostname)) url.hostname = "127.0.0.1";
  const { host, origin, pathname } = url;
  const address = `${origin}${pathname.replace(/\/+$/, "")}`;
  const digest = createHash("sha256").update(address).digest("hex").slice(0, 8);
  return join(journalDir, `${host.replace(/[^\w.-]/g, "_")}-${digest}`);
}

/** What the folder of a service's journal ends with. */
const DIGEST = /-[0-9a-f]{8}$/;

/** The folders of all journals there, by their names; none where there is no such folder. */
export async function findJournalFolders(journalDir: string): Promise<string[]> {
  try {
    const entries = await readdir(journalDir, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && DIGEST.test(entry.name))
      .map((entry) => join(journalDir, entry.name))
      .sort();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
