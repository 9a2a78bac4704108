import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { Hono } from "hono";
import { listPageFiles } from "../../page-files.ts";

/** The files of the page. Other files beside them, such as types, are for its developers. */
const contentTypes = new Map([
  [".html", "text/html; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".svg", "image/svg+xml"],
]);

/** Allows scripts and styles of the control API only. No other page may frame this one. */
const contentSecurityPolicy =
  "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page for people. Each file has a route of its own, so that no path of a caller reaches the disk. */
export function addPageRoutes(app: Hono): void {
  for (const [path, file] of listPageFiles()) {
    const type = contentTypes.get(extname(file));
    if (type === undefined) continue;
    app.get(path, async (c) =>
      c.body(await readFile(file), 200, {
        "Content-Type": type,
        "Content-Security-Policy": contentSecurityPolicy,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
      }),
    );
  }
}
