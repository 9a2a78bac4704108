/** `npm run weights`: installs the built package into an empty folder, and prints what each dependency weighs. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { checkoutDir } from "../project.ts";
import { weighDependencies } from "./weigh.ts";

const folder = await mkdtemp(join(tmpdir(), "proxyrental-weights-"));
try {
  const npm = async (...args: string[]) =>
    execa("npm", args, { cwd: folder, preferLocal: true, localDir: checkoutDir });
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true }));
  await npm("pack", checkoutDir, "--ignore-scripts", "--pack-destination", folder);
  const [tarball] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  await npm("install", "--no-audit", "--no-fund", `./${tarball}`);
  const { name } = JSON.parse(await readFile(join(checkoutDir, "package.json"), "utf8"));
  const { total, own, weights } = await weighDependencies(folder, name);
  const rows = weights.map((one) => `| ${one.name} | ${show(one.bytes)} | ${show(one.alone)} |`);
  process.stdout.write(
    [
      "| package | installed | alone |",
      "| --- | --- | --- |",
      ...rows,
      `\nIn all ${show(total)}, of which the package itself is ${show(own)}.\n`,
    ].join("\n"),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

function show(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
