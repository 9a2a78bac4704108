import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { refuse, type UrlGrammar } from "../url-parts.ts";

const EXAMPLE = "file:///absolute/folder";

export const fileUrl = {
  example: EXAMPLE,
  // It changes nothing here.
  parameters: ["no_tmp_dir"],
  noPassword: `it is not written like ${EXAMPLE}`,
} satisfies UrlGrammar;

/** A home folder is no host. */
export function withHome(given: string): string {
  return given.replace(/^file:\/\/~(?=\/|$)/i, () => pathToFileURL(homedir()).href);
}

export function readFolder(given: string, url: URL): string {
  // Somebody's variable may be empty.
  if (/^file:\/\/($|\?)/i.test(given)) throw refuse(`it names no folder; write it like ${EXAMPLE}`);
  if (url.host !== "") throw refuse(`its folder is not absolute; write it like ${EXAMPLE}`);
  // No name of a file has a slash in it, or a zero, and none should have more than one line.
  if (/%(2f|5c|[01][0-9a-f]|7f)/i.test(url.pathname)) throw refuse(fileUrl.noPassword);
  return join(fileURLToPath(url).replace(/(?<=.)\/+$/, ""));
}
