import type { z } from "zod";
import { type AllowListConfig, defineAllowList } from "./allow-list.ts";
import { proxyType } from "./config-values.ts";

/** Proxy types. Without a list every type is allowed. */
export type AllowedProxyTypesConfig = AllowListConfig<z.infer<typeof proxyType>>;

/** Judges the proxy type of each order and extension that costs money. */
export const allowedProxyTypes = defineAllowList({
  name: "allowed-proxy-types",
  description: "Only some proxy types may be bought.",
  input: "proxyType",
  noun: "proxy type",
  item: proxyType,
  kinds: ["ProxyOrder", "IpExtension"],
});
