import { getPath } from "hono/utils/url";

/** The redirect fault leads to a path with this prefix. It means the same as without it. */
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
