import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Stands in the simulator's own folder: the published package has this code in one file there, beside `page`. */
const folder = import.meta.dirname;

/** The files of uPlot, which draws the chart. */
export const chartFiles = { "uplot.js": "uPlot.esm.js", "uplot.css": "uPlot.min.css" } as const;

/** The files of the page by their paths at the control API. What only its developers need is among them. */
export function listPageFiles(): Map<string, string> {
  const page = join(folder, "page");
  const charts = chartFolder();
  return new Map([
    ["/", join(page, "index.html")],
    ...readdirSync(page).map((name) => [`/page/${name}`, join(page, name)] as const),
    ...Object.entries(chartFiles).map(
      ([name, file]) => [`/assets/${name}`, join(charts, file)] as const,
    ),
  ]);
}

/** The published package brings a copy, so that nobody has to install the library. */
export function chartFolder(): string {
  const copy = join(folder, "assets");
  return existsSync(copy) ? copy : dirname(fileURLToPath(import.meta.resolve("uplot")));
}
