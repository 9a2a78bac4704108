/** The resources of this package, without those that only group others. */
const kinds = ["ProxyOrder", "IpExtension", "IpAutoExtend"] as const;

/** A kind of resource, under any host. */
export type ResourceKind = (typeof kinds)[number];

const kindOfType = new Map<string, ResourceKind>(
  kinds.flatMap((kind) => [
    [`pulumi-nodejs:dynamic/proxyrental:${kind}`, kind],
    [`proxyrental:index:${kind}`, kind],
  ]),
);

/** Which of our resources a type of the engine is; undefined for all others. */
export function findKind(type: string): ResourceKind | undefined {
  return kindOfType.get(type);
}
