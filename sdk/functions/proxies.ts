import * as pulumi from "@pulumi/pulumi";
import type { RentedProxy } from "../../provider/client/records.ts";
import { ask, assertProxyType } from "./ask.ts";
import type { ProxyTypeArgs, ProxyTypeOutputArgs } from "./catalogue.ts";

/** What `getProxies` gives. */
export interface GetProxiesResult {
  /** Without logins: those are secret, and only `ProxyOrder.credentials` and `.urls` give them. */
  proxies: RentedProxy[];
}

/** All proxies of a type that the account holds, whoever ordered them (source: endpoint 12). Spends nothing. */
export async function getProxies({ proxyType }: ProxyTypeArgs): Promise<GetProxiesResult> {
  assertProxyType("getProxies", proxyType);
  return ask(async ({ listing }) => {
    const { records } = await listing.recent(proxyType);
    return { proxies: records.map(({ credential: _secret, ...proxy }) => proxy) };
  });
}

/** As `getProxies`, as an output. */
export function getProxiesOutput(args: ProxyTypeOutputArgs): pulumi.Output<GetProxiesResult> {
  return pulumi.output(args).apply(getProxies);
}
