import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { chartFiles, chartFolder } from "../../simulator/page-files.ts";
import { checkoutDir } from "../project.ts";
import { bundleSimulator } from "./bundle.ts";
import { pruneCompiled } from "./declarations.ts";
import { writeNotices } from "./notices.ts";

/** The simulator as it is published: one bundle, its types, its page, and the licences of what is in it. */
const source = join(checkoutDir, "simulator", "page");
const target = join(checkoutDir, "dist", "simulator");

/** What a browser reads. Types and settings of the compiler are for developers. */
const published = /\.(html|css|js|svg)$/;

await pruneCompiled(target, "index.d.ts");
const manifest = JSON.parse(await readFile(join(checkoutDir, "package.json"), "utf8"));
const bundled = await bundleSimulator(target, Object.keys(manifest.dependencies));
const page = (await readdir(source)).filter((name) => published.test(name));
await copyInto(
  join(target, "page"),
  page.map((name) => join(source, name)),
);
const charts = Object.values(chartFiles).map((name) => join(chartFolder(), name));
await copyInto(join(target, "assets"), charts);
await writeFile(
  join(target, "THIRD-PARTY-NOTICES.txt"),
  await writeNotices(join(checkoutDir, "node_modules"), [...bundled, ...charts]),
);

async function copyInto(folder: string, files: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(files.map((file) => copyFile(file, join(folder, basename(file)))));
}
