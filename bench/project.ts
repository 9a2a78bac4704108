import { cp, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { checkoutDir, makeProject } from "../toolchain/project.ts";

/** How many resources are declared, and how large they are. */
export interface Scale {
  orders: number;
  /** How many proxies each order has. */
  ips: number;
}

/** The host that runs the resources. */
export type Host = "dynamic" | "plugin";

/** The program of a project. */
export interface Program {
  text: string;
  /** More lines for Pulumi.yaml. */
  projectLines?: readonly string[];
  /** The files beside the program, by name. */
  files: Readonly<Record<string, string>>;
}

const nodeModules = join(checkoutDir, "node_modules");

/** What a build does not need. Whatever else it may need is taken along. */
const notSources = new Set([
  ".git",
  ".bench",
  "node_modules",
  "dist",
  "docs",
  "reference",
  "tests",
]);

/**
 * Builds the package beside the projects. The bench measures compiled code, as users have it. An old `dist` or another
 * build that runs at the same time does not change the result.
 */
export async function buildPackage(folder: string): Promise<string> {
  const packageDir = join(folder, "package");
  // The package imports itself by its name. The compiler finds that name only from the package's own folder.
  for (const name of await readdir(checkoutDir)) {
    if (notSources.has(name)) continue;
    await cp(join(checkoutDir, name), join(packageDir, name), { recursive: true });
  }
  await symlink(nodeModules, join(packageDir, "node_modules"));
  await execa("npm", ["run", "build"], { cwd: packageDir });
  return packageDir;
}

/** Several countries, as in a real fleet. So the bench shows which calls are made once for each country. */
export const countries = ["USA", "DEU", "GBR", "FRA", "NLD", "POL", "ESP", "ITA", "BRA", "JPN"];

/** The class that a generated SDK would have. So both hosts are measured with the same language. */
const pluginClass = `import { CustomResource } from "@pulumi/pulumi";

class ProxyOrder extends CustomResource {
  constructor(name, args) {
    super("proxyrental:index:ProxyOrder", name, { urls: undefined, ...args });
  }
}`;

const dynamicClass = `import { ProxyOrder } from "pulumi-proxyrental";`;

const pluginLines = ["plugins:", "  providers: [{ name: proxyrental, path: node_modules/.bin }]"];

/** Orders as a user declares them, for either host. */
export function describeOrders({ orders, ips }: Scale, host: Host): Program {
  const text = `${host === "plugin" ? pluginClass : dynamicClass}

const countries = ${JSON.stringify(countries)};

for (let i = 0; i < ${orders}; i++) {
  new ProxyOrder("order-" + i, {
    proxyType: "IPv4",
    country: countries[i % countries.length],
    quantity: ${ips},
    rentPeriodDays: 30,
    goal: "measuring",
  });
}
`;
  return { text, files: {}, projectLines: host === "plugin" ? pluginLines : [] };
}

/** Writes a Pulumi project around a program, with the packages that it imports. */
export async function writeProject(
  folder: string,
  { text, files, projectLines = [] }: Program,
  packageDir: string,
): Promise<void> {
  const lines = [
    "name: bench",
    "runtime: { name: nodejs, options: { typescript: false } }",
    ...projectLines,
  ];
  const project = { "index.js": text, "Pulumi.yaml": `${lines.join("\n")}\n` };
  await makeProject(folder, { ...files, ...project }, packageDir);
}
