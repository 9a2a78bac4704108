import { createHash } from "node:crypto";

/**
 * Names one purchase. It depends on nothing but its arguments, so preview and up agree on it, and a plan
 * file stays valid; it differs for every further purchase of the same resource.
 * @param previous the requestId of the resource's last purchase, or "" for its first.
 */
export function makeRequestId(owner: string, previous: string, specification: object): string {
  const sorted = Object.entries(specification)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const digest = createHash("sha256").update(JSON.stringify([owner, previous, sorted]));
  return digest.digest("hex").slice(0, 32);
}
