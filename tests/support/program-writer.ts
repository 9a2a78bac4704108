import {
  autoExtension,
  extension,
  laterValue,
  order,
  output,
  program,
  stackOutputs,
  usualArgs,
} from "./program.ts";
import type { Host } from "./program-files.ts";

/**
 * Writes programs for one host, in the usual language of that host. The arguments and options may contain the results
 * of `output`, `secret` and `after` of program.ts.
 */
export interface ProgramWriter {
  /** Is spread into the options of a stack. */
  on: { host: Host; runtime: "nodejs" | "yaml" };
  program(...declarations: string[]): string;
  /** See `order` in program.ts. */
  order(name: string, args?: object, options?: string): string;
  /** See `autoExtension` in program.ts. */
  autoExtension(name: string, ofOrder: string, args?: object): string;
  /** See `extension` in program.ts. */
  extension(name: string, ofOrder: string, paidThrough: string, args?: object): string;
  /** See `laterValue` in program.ts. */
  laterValue(name: string, value: unknown): string;
  /** See `stackOutputs` in program.ts. It must be the last declaration of a program. */
  stackOutputs(given: Readonly<Record<string, unknown>>): string;
  /** The URN of an order in a stack of the tests. */
  urnOf(order: string): string;
}

const typescript: ProgramWriter = {
  on: { host: "dynamic", runtime: "nodejs" },
  ...{ program, order, autoExtension, extension, laterValue, stackOutputs },
  urnOf: (name) => `urn:pulumi:dev::fleet::pulumi-nodejs:dynamic/proxyrental:ProxyOrder::${name}`,
};

const yaml: ProgramWriter = {
  on: { host: "plugin", runtime: "yaml" },
  program: (...declarations) =>
    declarations.length === 0 ? "resources: {}" : ["resources:", ...declarations].join("\n"),
  order: (name, args = {}, options = "{}") =>
    declare(name, "proxyrental:ProxyOrder", { ...usualArgs, ...args }, options),
  autoExtension: (name, ofOrder, args = {}) =>
    declare(name, "proxyrental:IpAutoExtend", {
      ...{
        proxyType: "IPv4",
        rentPeriodDays: 30,
        ipAddressIds: output(`${ofOrder}.ipAddressIds`),
      },
      ...args,
    }),
  extension: (name, ofOrder, paidThrough, args = {}) =>
    declare(name, "proxyrental:IpExtension", {
      ...{
        proxyType: "IPv4",
        rentPeriodDays: 30,
        ipAddressIds: output(`${ofOrder}.ipAddressIds`),
      },
      ...{ paidThrough, ...args },
    }),
  laterValue: (name, value) => declare(name, "late:Value", { value }),
  stackOutputs: (given) => `outputs: ${JSON.stringify(given)}`,
  urnOf: (name) => `urn:pulumi:dev::fleet::proxyrental:index:ProxyOrder::${name}`,
};

/** TypeScript for the dynamic host, YAML for the plugin. */
export function writerFor(host: Host): ProgramWriter {
  return host === "dynamic" ? typescript : yaml;
}

/** TypeScript for the plugin, as a user with a generated SDK writes it. */
export const typescriptOnPlugin: ProgramWriter = {
  ...typescript,
  on: { host: "plugin", runtime: "nodejs" },
  urnOf: yaml.urnOf,
};

/** Writes JSON, because JSON is valid YAML. TypeScript's form of the options is valid YAML, too. */
function declare(name: string, type: string, properties: object, options = "{}"): string {
  return `  ${name}: { type: "${type}", properties: ${JSON.stringify(properties)}, options: ${options} }`;
}
