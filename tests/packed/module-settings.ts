/** How a project compiles its modules. */
export interface ModuleSetting {
  name: string;
  /** What package.json says of the project's files. */
  type: "commonjs" | "module";
  /** The compiler's newest release of this line is taken. */
  typescript: 5 | 6;
  compilerOptions: Readonly<Record<string, unknown>>;
}

/**
 * What `tsc --init` writes, what the compiler does by itself, and every other way to find a module. What `pulumi new`
 * writes is in `project.ts`: it alone checks the declarations of other packages, which takes as long as all of these.
 */
export const moduleSettings: readonly ModuleSetting[] = [
  {
    ...{ name: "tsc --init of TypeScript 5", type: "commonjs", typescript: 5 },
    compilerOptions: {
      ...{ target: "es2016", module: "commonjs", esModuleInterop: true, skipLibCheck: true },
    },
  },
  {
    ...{ name: "tsc --init of TypeScript 6", type: "module", typescript: 6 },
    compilerOptions: {
      ...{ module: "nodenext", target: "esnext", types: [], declaration: true },
      ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
      ...{ verbatimModuleSyntax: true, isolatedModules: true, moduleDetection: "force" },
      ...{ noUncheckedSideEffectImports: true, skipLibCheck: true },
    },
  },
  {
    ...{ name: "TypeScript 6 by itself", type: "module", typescript: 6 },
    compilerOptions: { skipLibCheck: true },
  },
  {
    ...{ name: "node16, CommonJS", type: "commonjs", typescript: 5 },
    compilerOptions: { target: "es2022", module: "node16", skipLibCheck: true },
  },
  {
    ...{ name: "node16, ES modules", type: "module", typescript: 5 },
    compilerOptions: { target: "es2022", module: "node16", skipLibCheck: true },
  },
  {
    ...{ name: "nodenext, CommonJS", type: "commonjs", typescript: 6 },
    compilerOptions: { module: "nodenext", skipLibCheck: true },
  },
  {
    ...{ name: "bundler", type: "module", typescript: 5 },
    compilerOptions: {
      ...{ target: "es2022", module: "esnext", moduleResolution: "bundler", skipLibCheck: true },
    },
  },
  {
    ...{ name: "preserve", type: "module", typescript: 5 },
    compilerOptions: { target: "es2022", module: "preserve", skipLibCheck: true },
  },
];

/** Uses each entry point, and prints what is loaded. It compiles only where the compiler knows the types. */
export const entryPointsProgram = `
import { ProxyOrder, type ProxyOrderArgs } from "pulumi-proxyrental";
import { createClient } from "pulumi-proxyrental/client";
import { spendPolicies } from "pulumi-proxyrental/policy";
import { openDynamicProvider } from "pulumi-proxyrental/provider";
import { type Simulator, startSimulator } from "pulumi-proxyrental/simulator";

export type Known<Value> = 0 extends 1 & Value ? "any" : "known";
export const known: Known<typeof ProxyOrder | typeof createClient>[] = ["known"];
export const pack: Known<typeof spendPolicies> = "known";
export const door: Known<typeof openDynamicProvider> = "known";
export const service: Known<typeof startSimulator> = "known";
export const prices = (simulator: Simulator): string[] =>
  simulator.ledger().map(({ price }) => price);
// @ts-expect-error: a type that can't be found would accept this.
export const wrong = (simulator: Simulator): number => simulator.baseUrl;
export const args: ProxyOrderArgs<"IPv6"> = {
  ...{ proxyType: "IPv6", protocol: "SOCKS", country: "USA" },
  ...{ quantity: 5, rentPeriodDays: 30, goal: "price comparison" },
};
const loaded = [ProxyOrder, createClient, spendPolicies, openDynamicProvider, startSimulator];
console.log(loaded.map((entry) => entry.name).join());
`;

/** What that program prints. */
export const loadedNames =
  "ProxyOrder,createClient,spendPolicies,openDynamicProvider,startSimulator";

/** The same in plain JavaScript. */
export const javaScriptPrograms: Readonly<Record<string, string>> = {
  "load.cjs": `
const { ProxyOrder } = require("pulumi-proxyrental");
const { createClient } = require("pulumi-proxyrental/client");
const { spendPolicies } = require("pulumi-proxyrental/policy");
const { openDynamicProvider } = require("pulumi-proxyrental/provider");
const { startSimulator } = require("pulumi-proxyrental/simulator");
const loaded = [ProxyOrder, createClient, spendPolicies, openDynamicProvider, startSimulator];
console.log(loaded.map((entry) => entry.name).join());
import("pulumi-proxyrental").then((module) => {
  if (module.ProxyOrder !== ProxyOrder) console.log("there are two packages");
});
`,
  "load.mjs": `
import { ProxyOrder } from "pulumi-proxyrental";
import { createClient } from "pulumi-proxyrental/client";
import { spendPolicies } from "pulumi-proxyrental/policy";
import { openDynamicProvider } from "pulumi-proxyrental/provider";
import { startSimulator } from "pulumi-proxyrental/simulator";
const loaded = [ProxyOrder, createClient, spendPolicies, openDynamicProvider, startSimulator];
console.log(loaded.map((entry) => entry.name).join());
`,
};
