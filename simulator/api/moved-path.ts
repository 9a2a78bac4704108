import { getPath } from "hono/utils/url";

/** In front of every path, and meaning the same as without: where the redirect fault leads. */
const prefix = "/moved";

/** The path as the routes know it. */
export function stripMoved(request: Request): string {
  const path = getPath(request);
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

export function isMoved(url: string): boolean {
  return new URL(url).pathname.startsWith(`${prefix}/`);
}

export function moveUrl(url: string): string {
  const { pathname, search } = new URL(url);
  return `${prefix}${pathname}${search}`;
}
