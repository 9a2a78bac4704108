import { spawn } from "node:child_process";
import { cp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import { type InstalledPackage, installPackage } from "../../toolchain/installed-package.ts";
import { checkoutDir } from "../../toolchain/project.ts";
import { startForTest } from "../simulator/start.ts";
import { programFiles } from "../support/program-files.ts";
import { writerFor } from "../support/program-writer.ts";
import { nothingSpent, ordered, spendingOf } from "../support/spending.ts";
import { createStack, type Stack } from "../support/stack.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/** What `pulumi new typescript` writes: CommonJS, TypeScript 5, the old module resolution. */
const project = {
  "Pulumi.yaml": [
    "name: consumer",
    "description: A minimal TypeScript Pulumi program",
    "runtime:",
    "  name: nodejs",
    "  options:",
    "    packagemanager: npm",
    "",
  ].join("\n"),
  "package.json": JSON.stringify({
    name: "consumer",
    main: "index.ts",
    devDependencies: { "@types/node": "^18", typescript: "^5.0.0" },
    dependencies: { "@pulumi/pulumi": "^3.113.0" },
  }),
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      ...{ strict: true, outDir: "bin", target: "es2020", module: "commonjs" },
      ...{ moduleResolution: "node", sourceMap: true, experimentalDecorators: true, pretty: true },
      ...{ noFallthroughCasesInSwitch: true, noImplicitReturns: true },
      forceConsistentCasingInFileNames: true,
    },
    files: ["index.ts", "more.ts"],
  }),
  "index.ts": `
import * as pulumi from "@pulumi/pulumi";
import { getCountriesOutput, IpAutoExtend, ProxyOrder, type ProxyOrderArgs } from "pulumi-proxyrental";

const args: ProxyOrderArgs = {
  proxyType: "IPv4",
  country: getCountriesOutput({ proxyType: "IPv4" }).apply((found) => found.countries[0].alpha3code),
  quantity: 5,
  rentPeriodDays: 30,
  goal: "price comparison",
  maxPrice: 10,
};
const usa = new ProxyOrder("usa", args);
new IpAutoExtend("keep", { proxyType: "IPv4", ipAddressIds: usa.ipAddressIds, rentPeriodDays: 30 });
export const addresses: pulumi.Output<string[]> = usa.proxies.apply((proxies) => proxies.map((proxy) => proxy.ipAddressIp));
export const urls = usa.urls;
`,
  "more.ts": `
import { formatProxies, IpExtension, ProxyFleet, type UndiciProxy } from "pulumi-proxyrental";
import type * as pulumi from "@pulumi/pulumi";

export function declareMore(): pulumi.Output<UndiciProxy[]> {
  const fleet = new ProxyFleet("more", {
    proxyType: "ISP",
    countries: { USA: 3, DEU: 2 },
    rentPeriodDays: 30,
    goal: "price comparison",
  });
  const { ipAddressIds } = fleet.orders.DEU;
  const paidThrough = "2026-12-31";
  new IpExtension("through", { proxyType: "ISP", ipAddressIds, rentPeriodDays: 30, paidThrough });
  return formatProxies(fleet, "undici");
}
`,
};

let installed: InstalledPackage;

/** Runs the installed tool in a project, with the account in its environment. The tool must succeed. */
async function runTool(
  { folder, journalDir }: Stack,
  { baseUrl, apiKey }: Simulator,
  ...args: string[]
): Promise<string> {
  const { stdout } = await execa("npx", ["--no", "--", "pulumi-proxyrental", ...args], {
    cwd: folder,
    env: {
      PROXYRENTAL_BASE_URL: baseUrl,
      PROXYRENTAL_API_KEY: apiKey,
      PROXYRENTAL_JOURNAL_DIR: journalDir,
    },
  });
  return stdout;
}

beforeAll(async () => {
  installed = await installPackage(project);
});

afterAll(() => installed?.remove());

it("holds the compiled code, its types, the policy pack, the pages and the examples; no sources and no tests", () => {
  const { files } = installed;
  expect(files).toEqual(
    expect.arrayContaining([
      ...["package.json", "README.md", "policy/PulumiPolicy.yaml", "policy/package.json"],
      ...["sdk", "provider", "provider/client", "policy", "simulator"].flatMap((room) => [
        `dist/${room}/index.js`,
        `dist/${room}/index.d.ts`,
      ]),
      ...["dist/policy/main.js", "dist/cli/main.js"],
      ...["index.html", "base.css", "main.js"].map((file) => `dist/simulator/page/${file}`),
    ]),
  );
  const known =
    /^dist\/(.*(\.js|\.d\.ts)|require\/package\.json|simulator\/(page|assets)\/[^/]+\.(html|css|svg))$/;
  const pages = /^docs\/[\w-]+\.md$|^docs\/pictures\/[\w-]+\.svg$|^examples\/[\w-]+\/[\w.-]+$/;
  const strange = files.filter((file) => !known.test(file) && !pages.test(file));
  expect(strange.toSorted()).toEqual([
    ...["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md"],
    ...["dist/THIRD-PARTY-NOTICES.txt", "docs/logo.svg", "package.json"],
    ...["policy/PulumiPolicy.yaml", "policy/package.json", "schema.json", "simulator/README.md"],
  ]);
  expect(files.filter((file) => /test|bench|demo|toolchain/.test(file))).toEqual([]);
  // A process that loads hundreds of files takes twice as long to start.
  const code = files.filter((file) =>
    /^dist\/(chunks|cli|policy|provider|sdk)\/.*\.js$/.test(file),
  );
  expect(code.length).toBeLessThan(60);
});

it("typechecks in a project from `pulumi new typescript`, with TypeScript 5", async () => {
  const { folder, run } = installed;
  const tsc = join(folder, "node_modules", "typescript", "bin", "tsc");
  expect(await run("node", tsc, "--version")).toMatch(/^Version 5\./);
  await run("node", tsc, "--noEmit");
});

it("buys once, changes nothing, and lets go from a CommonJS program with its policy pack", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    simulator,
    program: "",
    fill: async (folder) => {
      for (const name of Object.keys(project)) {
        await cp(join(installed.folder, name), join(folder, name));
      }
      await symlink(join(installed.folder, "node_modules"), join(folder, "node_modules"));
    },
  });
  const pack = ["--policy-pack", "node_modules/pulumi-proxyrental/policy"];
  expect(await stack.succeed("preview", ...pack)).toContain(
    "usa: buys 5 IPv4 proxies in USA for 30 days for 7.00 USD",
  );
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  await stack.succeed("up", ...pack);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  expect(simulator.proxies().every((proxy) => proxy.autoExtend)).toBe(true);
  expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");
  await stack.succeed("stack export", "--file", "state.json");
  expect(await runTool(stack, simulator, "orphans", "state.json")).toMatch(
    /^No orphans: the account holds 1 order, /,
  );
  expect(await runTool(stack, simulator, "journal", "list")).toContain("holds no open purchases");
  await stack.succeed("destroy");
  expect(simulator.proxies().some((proxy) => proxy.autoExtend)).toBe(false);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("has the plugin, which prices and buys for a YAML program", async () => {
  const simulator = await startForTest();
  const { on, order, program } = writerFor("plugin");
  const stack = await createStack({
    ...{ ...on, simulator, program: "" },
    fill: async (folder) => {
      const files = programFiles({ ...on, program: program(order("usa")) });
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      await symlink(join(installed.folder, "node_modules"), join(folder, "node_modules"));
    },
  });
  expect(await stack.succeed("preview")).toContain(
    "usa: buys 5 IPv4 proxies in USA for 30 days for 7.00 USD",
  );
  await stack.succeed("up");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("has the command line tool, as `npx pulumi-proxyrental`", async () => {
  const npx = (...args: string[]) => installed.run("npx", "--no", "--", ...args);
  const help = await npx("pulumi-proxyrental", "--help");
  expect(help).toContain("Usage: pulumi-proxyrental");
  expect(help).toContain("orphans");
  expect(await npx("proxyrental", "--help")).toBe(help);
});

it("has the same tool outside a project: npx takes the command that is called like the package", async () => {
  const nowhere = await makeTemporaryFolder();
  const { stdout } = await execa("npx", ["--yes", `file:${installed.tarball}`, "--version"], {
    ...{ cwd: nowhere, preferLocal: true, localDir: checkoutDir },
    env: { npm_config_prefer_offline: "true" },
  });
  const { version } = JSON.parse(await readFile(join(checkoutDir, "package.json"), "utf8"));
  expect(stdout.trim()).toBe(version);
});

it("gives an ESM program the client and the simulator as subpaths", async () => {
  const { folder, run } = installed;
  await writeFile(
    join(folder, "rent.mjs"),
    `
import { createClient } from "pulumi-proxyrental/client";
import { startSimulator } from "pulumi-proxyrental/simulator";

const simulator = await startSimulator({ balance: "12.34" });
const client = createClient({ baseUrl: simulator.baseUrl, apiKey: simulator.apiKey });
console.log(JSON.stringify(await client.getBalance()));
await client.close();
await simulator.stop();
`,
  );
  expect(JSON.parse(await run("node", "rent.mjs"))).toEqual({ balance: 12.34, currency: "USD" });
});

it("has the simulator's page, with all its files", async () => {
  const { folder, run } = installed;
  await writeFile(
    join(folder, "page.mjs"),
    `
import { startSimulator } from "pulumi-proxyrental/simulator";

const simulator = await startSimulator({ control: true });
const page = await (await fetch(simulator.controlUrl + "/")).text();
const parts = Array.from(page.matchAll(/(?:src|href)="([^"]+)"/g), ([, path]) => path);
const statuses = parts.map(async (path) => (await fetch(simulator.controlUrl + path)).status);
console.log(JSON.stringify({ parts, statuses: [...new Set(await Promise.all(statuses))] }));
await simulator.stop();
`,
  );
  expect(JSON.parse(await run("node", "page.mjs"))).toEqual({
    parts: expect.arrayContaining(["/assets/uplot.css", "/page/base.css", "/page/main.js"]),
    statuses: [200],
  });
});

/** What only the simulator and the command line tool need. It is in the package, as parts of its own files. */
const librariesInside = [
  ...["hono", "uplot", "@hono/node-server", "@hono/zod-openapi", "@hono/zod-validator"],
  ...["@asteasolutions/zod-to-openapi", "openapi3-ts", "rolldown", "ical-generator"],
];

it("installs nothing for the simulator and the tool, and says whose work is in it", async () => {
  const modules = join(installed.folder, "node_modules");
  const found = await readdir(modules, { recursive: true });
  expect(found).toContain("pulumi-proxyrental");
  const unwanted = librariesInside.map((name) => join("node_modules", name));
  expect(
    found
      .map((path) => join("node_modules", path))
      .filter((path) => unwanted.some((name) => path.endsWith(name))),
  ).toEqual([]);
  const folder = join(modules, "pulumi-proxyrental", "dist");
  const notices = await readFile(join(folder, "THIRD-PARTY-NOTICES.txt"), "utf8");
  for (const owner of ["Yusuke Wada", "Astea Solutions", "Leon Sorokin", "Sebastian Pekarek"]) {
    expect(notices).toContain(owner);
  }
});

it("starts the simulator by its command, with its page, its API and its types", async () => {
  const { folder, run } = installed;
  const child = spawn(join(folder, "node_modules", ".bin", "pulumi-proxyrental"), ["simulator"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (said.includes("Ctrl-C")) break;
  }
  const read = (pattern: RegExp) => pattern.exec(said)?.[1] ?? "";
  const control = read(/Control API and page at (.+)/);
  const base = read(/export PROXYRENTAL_BASE_URL=(.+)/);
  const key = read(/export PROXYRENTAL_API_KEY=(.+)/);
  expect(await (await fetch(`${control}/`)).text()).toContain("<h1>");
  expect(await (await fetch(`${control}/assets/uplot.js`)).text()).toContain("uPlot");
  const balance = await fetch(`${base}/client/api/v1/${key}/balance`);
  expect(await balance.json()).toMatchObject({ success: true, balance: 1000 });

  await writeFile(
    join(folder, "simulate.mts"),
    `import { startSimulator, type Simulator } from "pulumi-proxyrental/simulator";
export const simulator: Simulator = await startSimulator({ control: true });
export const prices: string[] = simulator.ledger().map(({ price }) => price);
// @ts-expect-error: a type that can't be found would accept this.
export const wrong: number = simulator.baseUrl;
`,
  );
  const tsc = join(folder, "node_modules", "typescript", "bin", "tsc");
  const options = ["--strict", "--module", "nodenext", "--target", "es2024", "--skipLibCheck"];
  await run("node", tsc, "--noEmit", ...options, "simulate.mts");
});
