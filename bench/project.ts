import { existsSync } from "node:fs";
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

/** How much is declared. */
export interface Scale {
  orders: number;
  /** Proxies of each order. */
  ips: number;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const nodeModules = join(root, "node_modules");

/**
 * Builds the package beside the projects: what is measured is compiled, as users have it, and neither
 * an old `dist` nor a build that somebody runs meanwhile has a part in it.
 */
export async function buildPackage(folder: string): Promise<string> {
  const packageDir = join(folder, "package");
  // The package imports itself by name, which the compiler finds only from the package's own folder.
  const sources = ["sdk", "provider", "policy", "simulator"].filter((name) =>
    existsSync(join(root, name)),
  );
  for (const name of [...sources, "package.json", "tsconfig.json", "tsconfig.build.json"]) {
    await cp(join(root, name), join(packageDir, name), { recursive: true });
  }
  await symlink(nodeModules, join(packageDir, "node_modules"));
  const compiler = join(nodeModules, "typescript/bin/tsc");
  await execa(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: packageDir });
  return packageDir;
}

/** Resources that do nothing: what remains is what the engine costs. */
export function describeFloor({ orders }: Scale): string {
  return `import * as pulumi from "@pulumi/pulumi";

const nothing = {
  async check(olds, news) { return { inputs: news }; },
  async diff(id, olds, news) { return { changes: false }; },
  async create(inputs) { return { id: "nothing", outs: inputs }; },
  async read(id, props) { return { id, props }; },
  async update(id, olds, news) { return { outs: news }; },
  async delete(id, props) {},
};

class Nothing extends pulumi.dynamic.Resource {
  constructor(name, props) { super(nothing, name, props, {}, "bench", "Nothing"); }
}

for (let i = 0; i < ${orders}; i++) {
  new Nothing("nothing-" + i, { country: "USA", quantity: 1, goal: "measuring" });
}
`;
}

/** As many orders. */
export function describeOurs({ orders, ips }: Scale): string {
  return `import { ProxyOrder } from "pulumi-proxyrental";

for (let i = 0; i < ${orders}; i++) {
  new ProxyOrder("order-" + i, {
    proxyType: "IPv4",
    country: "USA",
    quantity: ${ips},
    rentPeriodDays: 30,
    goal: "measuring",
  });
}
`;
}

/** Writes a Pulumi project around a program, with the packages that it imports. */
export async function writeProject(
  folder: string,
  program: string,
  packageDir: string,
): Promise<void> {
  const modules = join(folder, "node_modules");
  await mkdir(modules, { recursive: true });
  await Promise.all([
    writeFile(join(folder, "index.js"), program),
    writeFile(join(folder, "package.json"), JSON.stringify({ name: "bench", type: "module" })),
    writeFile(
      join(folder, "Pulumi.yaml"),
      "name: bench\nruntime: { name: nodejs, options: { typescript: false } }\n",
    ),
    symlink(join(nodeModules, "@pulumi"), join(modules, "@pulumi")),
    symlink(packageDir, join(modules, "pulumi-proxyrental")),
  ]);
}
