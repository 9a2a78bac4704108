import { createHash } from "node:crypto";

/** An id for a resource for which the service has none. It is made of the resource's name, which never changes. */
export function idOfOwner(prefix: string, owner: string): string {
  return `${prefix}-${createHash("sha256").update(owner).digest("hex").slice(0, 12)}`;
}
