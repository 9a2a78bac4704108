import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { z } from "zod";
import { checkoutDir } from "../../toolchain/project.ts";
import { readPage } from "./docs.ts";

const manifestSchema = z.object({
  repository: z.object({ url: z.string() }),
  homepage: z.string(),
});

const manifest = manifestSchema.parse(
  JSON.parse(readFileSync(join(checkoutDir, "package.json"), "utf8")),
);

/** Where the repository is on the web: a page of the package links there to what the package does not hold. */
const repositoryUrl = manifest.repository.url.replace(/^git\+|\.git$/g, "");

/** Something that a page points to. */
interface Link {
  /** The page, as a path in the checkout. */
  readonly from: string;
  readonly target: string;
}

function readLinks(from: string): Link[] {
  const text = readPage(from).text.replace(/^```[\s\S]*?^```$/gm, "");
  const pointers = /\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g;
  return Array.from(text.matchAll(pointers), ([, inText, inTag]) => ({
    from,
    target: inText ?? inTag ?? "",
  }));
}

/** The anchors of a page, as code hosts make them of its headings. */
function readAnchors(path: string): ReadonlySet<string> {
  const headings = readPage(path).text.match(/^#+ .*$/gm) ?? [];
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/^#+ /, "")
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** The path in the checkout that a link leads to, or undefined for one that leads to somewhere else on the web. */
function pathOf({ from, target }: Link): string | undefined {
  const [address = ""] = target.split("#");
  if (address === "") return from;
  const files = [`${repositoryUrl}/blob/main/`, `${repositoryUrl}/tree/main/`];
  const start = files.find((one) => address.startsWith(one));
  if (start !== undefined) return address.slice(start.length);
  if (/^[a-z]+:/.test(address)) return undefined;
  return posix.normalize(posix.join(posix.dirname(from), address)).replace(/\/$/, "");
}

function leadsNowhere(link: Link, isThere: (path: string) => boolean): boolean {
  const path = pathOf(link);
  if (path === undefined) return false;
  if (!isThere(path)) return true;
  const [, anchor] = link.target.split("#");
  return anchor !== undefined && !readAnchors(path).has(anchor);
}

const tell = ({ from, target }: Link) => `${from}: ${target}`;

/** The links of these pages that lead to no file, or to no heading, in the checkout. */
export function findBrokenLinks(pages: readonly string[]): string[] {
  const isThere = (path: string) => existsSync(join(checkoutDir, path));
  return pages
    .flatMap(readLinks)
    .filter((link) => leadsNowhere(link, isThere))
    .map(tell);
}

/** The links of the pages in a package that lead to something that the package does not hold. */
export function findLinksOutOfPackage(files: readonly string[]): string[] {
  const isThere = (path: string) =>
    files.some((file) => file === path || file.startsWith(`${path}/`));
  const isRelative = ({ target }: Link) => !/^[a-z]+:/.test(target);
  return files
    .filter((file) => file.endsWith(".md"))
    .flatMap(readLinks)
    .filter((link) => isRelative(link) && leadsNowhere(link, isThere))
    .map(tell);
}
