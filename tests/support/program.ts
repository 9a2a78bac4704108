/** A program of these lines, with the imports that they need. */
export function program(...lines: string[]): string {
  return [
    'import * as pulumi from "@pulumi/pulumi";',
    'import * as proxyrental from "pulumi-proxyrental";',
    "const { ProxyOrder, IpAutoExtend, IpExtension } = proxyrental;",
    ...lines,
    "",
  ].join("\n");
}

/** Arguments with a price of 1.40 USD a proxy. With this quantity the order costs 7.00 USD. */
export const usualArgs = {
  proxyType: "IPv4",
  country: "USA",
  quantity: 5,
  rentPeriodDays: 30,
  goal: "price comparison",
};

/** An argument that is an output of another resource, such as `usa.orderNumber`. */
export function output(path: string): string {
  return `\${${path}}`;
}

/** An argument that is secret. */
export function secret(value: unknown): object {
  return { "fn::secret": value };
}

/** Options of a resource that comes after another one. */
export function after(name: string): string {
  return `{ dependsOn: ["${output(name)}"] }`;
}

/**
 * Source text of an order: the usual one with these arguments changed. An argument that is undefined is left out.
 * @param options source text of the resource's options
 */
export function order(name: string, args: object = {}, options = "{}"): string {
  return declare(name, "ProxyOrder", { ...usualArgs, ...args }, options);
}

/** Source text of the automatic extension of all proxies of an order. If the arguments name proxies, only of these. */
export function autoExtension(name: string, ofOrder: string, args: object = {}): string {
  const ipAddressIds = output(`${ofOrder}.ipAddressIds`);
  return declare(name, "IpAutoExtend", {
    ...{ proxyType: "IPv4", rentPeriodDays: 30, ipAddressIds, ...args },
  });
}

/** Source text of an extension of all proxies of an order until a date or a moment. */
export function extension(
  name: string,
  ofOrder: string,
  paidThrough: string,
  args: object = {},
): string {
  const ipAddressIds = output(`${ofOrder}.ipAddressIds`);
  return declare(name, "IpExtension", {
    ...{ proxyType: "IPv4", rentPeriodDays: 30, paidThrough, ipAddressIds, ...args },
  });
}

/** Source text of a resource that does nothing. Its output `value` is not known before the resource is created. */
export function laterValue(name: string, value: unknown): string {
  return `
class ${name}Resource extends pulumi.dynamic.Resource {
  constructor() {
    super({ create: async () => ({ id: "${name}", outs: { value: ${JSON.stringify(value)} } }) }, "${name}", { value: undefined });
  }
}
const ${name} = new ${name}Resource();`;
}

/** Source text of the stack's outputs. */
export function stackOutputs(given: Readonly<Record<string, unknown>>): string {
  return Object.entries(given)
    .map(([name, value]) => `export const ${name} = ${expression(value)};`)
    .join("\n");
}

function declare(name: string, kind: string, args: object, options = "{}"): string {
  const given = options.replaceAll(/"\$\{(.+?)\}"/g, "$1");
  return `const ${name} = new ${kind}("${name}", ${expression(args)}, ${given});`;
}

/** Source text of a value. The value may contain the results of `output` and `secret`. */
function expression(value: unknown): string {
  if (typeof value === "string") return /^\$\{(.+)\}$/.exec(value)?.[1] ?? JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(expression).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if ("fn::secret" in value) return `pulumi.secret(${expression(value["fn::secret"])})`;
  const given = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{ ${given.map(([name, item]) => `${JSON.stringify(name)}: ${expression(item)}`).join(", ")} }`;
}
