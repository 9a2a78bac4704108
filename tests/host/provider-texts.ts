import type { ResourceKind } from "pulumi-proxyrental/provider";
import { providerText } from "../../sdk/dynamic-resource.ts";

/** The text that Pulumi writes into the state of each resource. */
export const providerTexts: Readonly<Record<ResourceKind, string>> = {
  ProxyOrder: providerText("ProxyOrder"),
  IpAutoExtend: providerText("IpAutoExtend"),
  IpExtension: providerText("IpExtension"),
};
