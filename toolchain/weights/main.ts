/** `npm run weights`: installs the built package into an empty folder, and prints what each dependency weighs. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { installPackage } from "../installed-package.ts";
import { checkoutDir } from "../project.ts";
import { weighDependencies } from "./weigh.ts";

const installed = await installPackage({
  "package.json": JSON.stringify({ name: "empty", private: true }),
});
try {
  const { name } = JSON.parse(await readFile(join(checkoutDir, "package.json"), "utf8"));
  const { total, own, weights } = await weighDependencies(installed.folder, name);
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
  await installed.remove();
}

function show(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
