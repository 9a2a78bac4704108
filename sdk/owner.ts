import * as pulumi from "@pulumi/pulumi";
import { announcePhase } from "./phase.ts";

/**
 * Who owns a purchase: the resource's URN, with its organisation. A dynamic provider is not told the URN of what it
 * creates, so the sdk passes it as an input. It is a plain promise, because an output would be unknown to a preview
 * whenever the parent is. This also tells the provider whether it serves a preview: the engine calls it about a
 * resource only after this promise is kept.
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
