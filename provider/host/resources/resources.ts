import type { SpendingAccount } from "../../core/account.ts";
import type { HostedResource } from "./hosted-resource.ts";
import { hostIpAutoExtend } from "./ip-auto-extend.ts";
import { hostIpExtension } from "./ip-extension.ts";
import { hostProxyOrder } from "./proxy-order.ts";

/** The kinds of resources there are, and how each is made for an account. */
const kinds = {
  ProxyOrder: hostProxyOrder,
  IpAutoExtend: hostIpAutoExtend,
  IpExtension: hostIpExtension,
};

/** The name of a kind of resource. */
export type ResourceKind = keyof typeof kinds;

/** Makes something for each kind of resource. */
export function forEachKind<Made>(make: (kind: ResourceKind) => Made): Record<ResourceKind, Made> {
  return {
    ProxyOrder: make("ProxyOrder"),
    IpAutoExtend: make("IpAutoExtend"),
    IpExtension: make("IpExtension"),
  };
}

/** All resources of a run share one account, its sums and its listing. */
export function hostResources(account: SpendingAccount): Record<ResourceKind, HostedResource> {
  return forEachKind((kind) => kinds[kind](account));
}
