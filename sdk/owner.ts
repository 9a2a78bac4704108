import * as pulumi from "@pulumi/pulumi";

/**
 * Who owns a purchase: the resource's URN, with its organisation. A dynamic provider is not told the URN
 * of what it creates, so the sdk passes it as an input; as a plain promise, because an output would make
 * it unknown to a preview whenever the parent is.
 */
export function ownerOf(
  name: string,
  type: string,
  parent: pulumi.Resource | undefined,
): Promise<string> {
  const urn = pulumi.createUrn(name, type, parent);
  return new Promise((resolve) => {
    urn.apply((known) => resolve(`${pulumi.getOrganization()}/${known}`));
  });
}
