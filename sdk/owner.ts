import * as pulumi from "@pulumi/pulumi";
import { announcePhase } from "./phase.ts";

/**
 * Who owns a purchase: the resource's URN, with its organisation. A dynamic provider is not told the URN
 * of what it creates, so the sdk passes it as an input; as a plain promise, because an output would make
 * it unknown to a preview whenever the parent is. The provider learns on the same occasion whether this is a preview:
 * the engine asks it nothing about a resource before this promise is kept.
 */
export function ownerOf(
  name: string,
  type: string,
  parent: pulumi.Resource | undefined,
): Promise<string> {
  announcePhase();
  const urn = pulumi.createUrn(name, type, parent);
  return new Promise((resolve) => {
    urn.apply((known) => resolve(`${pulumi.getOrganization()}/${known}`));
  });
}
