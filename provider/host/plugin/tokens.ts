/** The package and the module in every token. */
const MODULE = "proxyrental:index";

/** The token of a resource or a function, for instance `proxyrental:index:ProxyOrder`. */
export function tokenOf(name: string): string {
  return `${MODULE}:${name}`;
}

/** The name in a token of this package; undefined for any other token. */
export function nameInToken(token: string): string | undefined {
  const prefix = `${MODULE}:`;
  return token.startsWith(prefix) ? token.slice(prefix.length) : undefined;
}

/** The type in a URN, without the types of its parents. */
export function typeOfUrn(urn: string): string {
  const [, , types = ""] = urn.split("::");
  return types.slice(types.lastIndexOf("$") + 1);
}
