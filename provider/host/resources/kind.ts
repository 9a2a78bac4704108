/** The name of a kind of resource. It stands in a file of its own: the sdk's declarations need it, and nothing more of the host. */
export type ResourceKind = "ProxyOrder" | "IpAutoExtend" | "IpExtension";
