/** The resource's name: the last part of its URN. */
export function nameOf(owner: string): string {
  return owner.slice(owner.lastIndexOf("::") + 2);
}
