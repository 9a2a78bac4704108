import type { SpendingAccount } from "../../core/account.ts";
import type { HostedResource } from "./hosted-resource.ts";
import { hostIpAutoExtend } from "./ip-auto-extend.ts";
import { hostIpExtension } from "./ip-extension.ts";
import type { ResourceKind } from "./kind.ts";
import { hostProxyOrder } from "./proxy-order.ts";

/** How each kind of resource is made for an account. */
const kinds: Readonly<Record<ResourceKind, (account: SpendingAccount) => HostedResource>> = {
  ProxyOrder: hostProxyOrder,
  IpAutoExtend: hostIpAutoExtend,
  IpExtension: hostIpExtension,
};

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
