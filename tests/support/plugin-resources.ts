import * as pulumi from "@pulumi/pulumi";

/**
 * The resources and functions of the plugin for TypeScript programs, as a generated SDK declares them. A program that
 * imports them instead of the package runs on the other host. Nothing else in the program changes.
 */
abstract class PluginResource extends pulumi.CustomResource {
  constructor(
    kind: string,
    name: string,
    outputs: readonly string[],
    args: pulumi.Inputs,
    opts?: pulumi.CustomResourceOptions,
  ) {
    const later = Object.fromEntries(outputs.map((output) => [output, undefined]));
    super(`proxyrental:index:${kind}`, name, { ...later, ...args }, opts);
  }
}

export class ProxyOrder extends PluginResource {
  static readonly outputs = [
    ...["orderNumber", "orderIds", "proxies", "released", "ipAddressIds", "credentials", "urls"],
    ...["expiresAt", "status", "quote", "purchases"],
  ];

  constructor(name: string, args: pulumi.Inputs, opts?: pulumi.CustomResourceOptions) {
    super("ProxyOrder", name, ProxyOrder.outputs, args, opts);
  }
}

export class IpAutoExtend extends PluginResource {
  static readonly outputs = ["proxies", "quote"];

  constructor(name: string, args: pulumi.Inputs, opts?: pulumi.CustomResourceOptions) {
    super("IpAutoExtend", name, IpAutoExtend.outputs, args, opts);
  }
}

export class IpExtension extends PluginResource {
  static readonly outputs = ["proxies", "paidUntil", "quote", "purchases"];

  constructor(name: string, args: pulumi.Inputs, opts?: pulumi.CustomResourceOptions) {
    super("IpExtension", name, IpExtension.outputs, args, opts);
  }
}

const ask =
  (name: string) =>
  (args: pulumi.Inputs = {}): Promise<unknown> =>
    pulumi.runtime.invoke(`proxyrental:index:${name}`, args);

export const getBalance = ask("getBalance");
export const getProxyTypes = ask("getProxyTypes");
export const getCountries = ask("getCountries");
export const getRentPeriods = ask("getRentPeriods");
export const getMobileOperators = ask("getMobileOperators");
export const getPromoCodes = ask("getPromoCodes");
export const getProxies = ask("getProxies");
export const getOrderQuote = ask("getOrderQuote");
export const getExtensionQuote = ask("getExtensionQuote");
