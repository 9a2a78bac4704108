import { createHash } from "node:crypto";

/**
 * Names one purchase. The name depends only on the arguments, so preview and up agree on it, and a plan file stays
 * valid. A purchase that replaces another one gets a new name. A resource that has left the state and is bought again
 * gets the name of its first purchase, because nothing is left to tell them apart.
 * @param previous the requestId of the purchase that is replaced, or "".
 */
export function makeRequestId(owner: string, previous: string, specification: object): string {
  const digest = createHash("sha256").update(
    JSON.stringify([owner, previous, sortedEntries(specification)]),
  );
  return digest.digest("hex").slice(0, 32);
}

/** Whether two specifications ask for the same. */
export function isSameSpecification(a: object, b: object): boolean {
  return JSON.stringify(sortedEntries(a)) === JSON.stringify(sortedEntries(b));
}

function sortedEntries(specification: object): [string, unknown][] {
  return Object.entries(specification)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
