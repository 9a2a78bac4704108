import { autoExtension, extension, order, program, usualArgs } from "./program.ts";
import type { Host } from "./program-files.ts";

/** Writes programs for one host, in the language that stands for it. */
export interface ProgramWriter {
  /** To be spread into the options of a stack. */
  on: { host: Host; runtime: "nodejs" | "yaml" };
  program(...declarations: string[]): string;
  /** See `order` in program.ts. */
  order(name: string, args?: object, options?: string): string;
  /** See `autoExtension` in program.ts. */
  autoExtension(name: string, ofOrder: string, args?: object): string;
  /** See `extension` in program.ts. */
  extension(name: string, ofOrder: string, paidThrough: string, args?: object): string;
  /** The URN of an order in a stack of the tests. */
  urnOf(order: string): string;
}

const typescript: ProgramWriter = {
  on: { host: "dynamic", runtime: "nodejs" },
  ...{ program, order, autoExtension, extension },
  urnOf: (name) => `urn:pulumi:dev::fleet::pulumi-nodejs:dynamic/proxyrental:ProxyOrder::${name}`,
};

const yaml: ProgramWriter = {
  on: { host: "plugin", runtime: "yaml" },
  program: (...declarations) =>
    declarations.length === 0 ? "resources: {}" : ["resources:", ...declarations].join("\n"),
  order: (name, args = {}, options = "{}") =>
    declare(name, "ProxyOrder", { ...usualArgs, ...args }, options),
  autoExtension: (name, ofOrder, args = {}) =>
    declare(name, "IpAutoExtend", {
      ...{ proxyType: "IPv4", rentPeriodDays: 30, ...args },
      ipAddressIds: `\${${ofOrder}.ipAddressIds}`,
    }),
  extension: (name, ofOrder, paidThrough, args = {}) =>
    declare(name, "IpExtension", {
      ...{ proxyType: "IPv4", rentPeriodDays: 30, paidThrough, ...args },
      ipAddressIds: `\${${ofOrder}.ipAddressIds}`,
    }),
  urnOf: (name) => `urn:pulumi:dev::fleet::proxyrental:index:ProxyOrder::${name}`,
};

/** TypeScript for the dynamic host, YAML for the plugin. */
export function writerFor(host: Host): ProgramWriter {
  return host === "dynamic" ? typescript : yaml;
}

/** JSON is YAML, and so are options in the form that TypeScript has. */
function declare(name: string, kind: string, properties: object, options = "{}"): string {
  return `  ${name}: { type: "proxyrental:${kind}", properties: ${JSON.stringify(properties)}, options: ${options} }`;
}
