import type { Account } from "../../core/account.ts";
import type { HostedResource } from "./hosted-resource.ts";
import { hostIpAutoExtend } from "./ip-auto-extend.ts";
import { hostIpExtension } from "./ip-extension.ts";
import { hostProxyOrder } from "./proxy-order.ts";

/** The kinds of resources there are. */
export type ResourceKind = "ProxyOrder" | "IpAutoExtend" | "IpExtension";

/** All resources of a run share one account, its sums and its listing. */
export function hostResources(account: Account): Record<ResourceKind, HostedResource> {
  return {
    ProxyOrder: hostProxyOrder(account),
    IpAutoExtend: hostIpAutoExtend(account),
    IpExtension: hostIpExtension(account),
  };
}
