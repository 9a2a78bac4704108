/** A program of these lines, with what they need imported. */
export function program(...lines: string[]): string {
  return [
    'import * as pulumi from "@pulumi/pulumi";',
    'import * as proxyrental from "pulumi-proxyrental";',
    "const { ProxyOrder, IpAutoExtend, IpExtension } = proxyrental;",
    ...lines,
    "",
  ].join("\n");
}

/** Arguments whose price is 1.40 USD a proxy, so 7.00 USD with the quantity as it stands. */
export const usualArgs = {
  proxyType: "IPv4",
  country: "USA",
  quantity: 5,
  rentPeriodDays: 30,
  goal: "price comparison",
};

/**
 * Source text of an order: the usual one, with these arguments changed (undefined leaves one out).
 * @param options source text of the resource's options
 */
export function order(name: string, args: object = {}, options = "{}"): string {
  return `const ${name} = new ProxyOrder("${name}", ${JSON.stringify({ ...usualArgs, ...args })}, ${options});`;
}

/** Source text of the automatic extension of all proxies of an order. */
export function autoExtension(name: string, ofOrder: string, args: object = {}): string {
  const given = JSON.stringify({ proxyType: "IPv4", rentPeriodDays: 30, ...args });
  return `new IpAutoExtend("${name}", { ...${given}, ipAddressIds: ${ofOrder}.ipAddressIds });`;
}

/** Source text of an extension of all proxies of an order through a date or moment. */
export function extension(
  name: string,
  ofOrder: string,
  paidThrough: string,
  args: object = {},
): string {
  const given = JSON.stringify({ proxyType: "IPv4", rentPeriodDays: 30, paidThrough, ...args });
  return `new IpExtension("${name}", { ...${given}, ipAddressIds: ${ofOrder}.ipAddressIds });`;
}

/**
 * Source text of a resource that does nothing, and whose output `value` nobody knows before it is created.
 */
export function laterValue(name: string, value: unknown): string {
  return `
class ${name}Resource extends pulumi.dynamic.Resource {
  constructor() {
    super({ create: async () => ({ id: "${name}", outs: { value: ${JSON.stringify(value)} } }) }, "${name}", { value: undefined });
  }
}
const ${name} = new ${name}Resource();`;
}
