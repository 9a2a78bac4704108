import { copyFile, mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { chartFiles, chartFolder } from "../../simulator/page-files.ts";
import { checkoutDir } from "../project.ts";

/** What a browser reads. Types and settings of the compiler are for developers. */
const published = /\.(html|css|js|svg)$/;

/** Copies the simulator's page, and what draws its chart, beside the simulator's code. Tells what is from a library. */
export async function copyPage(folder: string): Promise<string[]> {
  const source = join(checkoutDir, "simulator", "page");
  const page = (await readdir(source)).filter((name) => published.test(name));
  const charts = Object.values(chartFiles).map((name) => join(chartFolder(), name));
  await copyInto(
    join(folder, "page"),
    page.map((name) => join(source, name)),
  );
  await copyInto(join(folder, "assets"), charts);
  return charts;
}

async function copyInto(folder: string, files: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(files.map((file) => copyFile(file, join(folder, basename(file)))));
}
