/** The resource's name: the last part of its URN. */
export function nameOf(owner: string): string {
  return owner.slice(owner.lastIndexOf("::") + 2);
}

/** The engine's own name of a resource: the owner without its organisation. */
export function urnOf(owner: string): string {
  return owner.slice(Math.max(0, owner.indexOf("urn:pulumi:")));
}

/** The organisation, the stack and the project of an owner. */
export function stackOf(owner: string): string {
  // Each plan of a run asks this of each purchase of the journal.
  const project = owner.indexOf("::") + 2;
  const end = owner.indexOf("::", project);
  return end === -1 ? owner : owner.slice(0, end);
}

/** The stack of an owner, as Pulumi names it: "organization/project/stack", without the organization where none is known. */
export function stackNameOf(owner: string): string {
  const [, organization = "", stack = "", project = ""] =
    /^(.*\/)?urn:pulumi:(.+?)::(.+?)::/.exec(withoutScope(owner)) ?? [];
  return `${organization}${project}/${stack}`;
}

/**
 * Whether an owner is in no stack: `pulumi do` gives all its resources this constant name, and saves no state. So nothing
 * would remember what was bought.
 */
export function isWithoutStack(owner: string): boolean {
  return /(^|\/)urn:pulumi:dev::default::/.test(owner);
}

/** Stands between a scope and a name. No scope contains it, and no part of a URN before its first colon. */
const SCOPE_MARK = "|";

/** A name as the runs of all other scopes see it: see `proxyrental:journalScope`. */
export function nameInScope(name: string, scope: string): string {
  return `${scope}${SCOPE_MARK}${name}`;
}

/** A name as its own scope sees it. */
export function withoutScope(name: string): string {
  return name.slice(scopeIn(name).length);
}

/** The scope that a name begins with, and the mark; "" if it begins with none. */
function scopeIn(name: string): string {
  return /^[^:|]*\|/.exec(name)?.[0] ?? "";
}

/**
 * Whether two owners are resources of one stack on different hosts. A stack that moves to the other host takes its
 * orders along, perhaps under other names.
 */
export function isMove(owner: string, other: string): boolean {
  const [a, b] = [partsOf(owner), partsOf(other)];
  return a !== undefined && b !== undefined && a.stack === b.stack && a.host !== b.host;
}

/** The owner of a dynamic resource is its organisation and URN, the owner of a plugin's resource is its URN. */
function partsOf(owner: string): { stack: string; host: string } | undefined {
  const [, stack, project, types] = /urn:pulumi:(.+?)::(.+?)::(.+?)::/.exec(owner) ?? [];
  if (stack === undefined || project === undefined || types === undefined) return undefined;
  const isDynamic = types.includes("pulumi-nodejs:dynamic/");
  return { stack: `${scopeIn(owner)}${stack}::${project}`, host: isDynamic ? "dynamic" : "plugin" };
}
