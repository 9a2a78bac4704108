import { type Props, readKnown } from "./inputs.ts";

/** Our resources that have to do with money. */
export type ResourceKind = "ProxyOrder" | "IpExtension" | "IpAutoExtend";

const kinds: readonly ResourceKind[] = ["ProxyOrder", "IpExtension", "IpAutoExtend"];

/** By their types in the dynamic host and in the plugin. */
const kindsByType: ReadonlyMap<string, ResourceKind> = new Map(
  kinds.flatMap((kind) => [
    [`pulumi-nodejs:dynamic/proxyrental:${kind}`, kind] as const,
    [`proxyrental:index:${kind}`, kind] as const,
  ]),
);

/** Which of our resources a type is, under either host; undefined for all others. */
export function kindOf(type: string): ResourceKind | undefined {
  return kindsByType.get(type);
}

/** Whether a resource, by its type, is one that spends money. */
export function canBuy(type: string): boolean {
  const kind = kindOf(type);
  return kind === "ProxyOrder" || kind === "IpExtension";
}

/** Whether properties are those of a resource as it was recorded, and not a plan. */
export function isRecorded(props: Props): boolean {
  return readKnown(() => props.stateVersion !== undefined) === true;
}
