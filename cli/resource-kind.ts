/** What this package gives a program to declare, less what only groups it. */
const kinds = ["ProxyOrder", "IpExtension", "IpAutoExtend"] as const;

/** A kind of resource, whichever host carries it. */
export type ResourceKind = (typeof kinds)[number];

const kindOfType = new Map<string, ResourceKind>(
  kinds.flatMap((kind) => [
    [`pulumi-nodejs:dynamic/proxyrental:${kind}`, kind],
    [`proxyrental:index:${kind}`, kind],
  ]),
);

/** The one place that says which types of the engine are ours; undefined for all others. */
export function findKind(type: string): ResourceKind | undefined {
  return kindOfType.get(type);
}
