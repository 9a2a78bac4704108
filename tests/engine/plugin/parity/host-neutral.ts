/** Makes what one host shows comparable with what the other shows. */
export interface HostNeutral {
  /** Any text or value, with the resources' types and all that follows from them made alike. */
  of<Value>(value: Value): Value;
}

/**
 * All that may differ between the hosts in a state, a plan or a line, and why. Names are given by order of
 * appearance, so that what is kept on one host and made anew on the other still differs.
 */
const hostSpecific: readonly {
  pattern: RegExp;
  become: (found: string, names: Names) => string;
}[] = [
  // The engine names a dynamic resource after the language; its host adds the organisation to the owner.
  { pattern: /organization\/urn:/g, become: () => "urn:" },
  { pattern: /pulumi-nodejs:dynamic\/proxyrental:/g, become: () => "proxyrental:index:" },
  // Both are hashes of the owner.
  { pattern: /\b[0-9a-f]{32}\b/g, become: (found, names) => names.of("request", found) },
  { pattern: /\bauto-extend-[0-9a-f]{12}\b/g, become: (found, names) => names.of("flag", found) },
  { pattern: /\bextension-[0-9a-f]{12}\b/g, become: (found, names) => names.of("paid", found) },
];

/** Of a run of one host from its beginning to its end. */
export function createHostNeutral(): HostNeutral {
  const names = new Names();
  const neutral = (text: string) =>
    hostSpecific.reduce(
      (result, { pattern, become }) => result.replaceAll(pattern, (found) => become(found, names)),
      text,
    );
  const all = (value: unknown): unknown => {
    if (typeof value === "string") return neutral(value);
    if (Array.isArray(value)) return value.map(all);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        // The serialised shim, which only a dynamic resource has.
        .filter(([name]) => name !== "__provider")
        // The time of a purchase by the clock of this machine.
        .map(([name, item]) => [name, name === "at" ? typeof item : all(item)]),
    );
  };
  return { of: (value) => all(value) as typeof value };
}

class Names {
  readonly #known = new Map<string, string>();

  of(kind: string, found: string): string {
    const name = this.#known.get(found) ?? `${kind} ${this.#known.size + 1}`;
    this.#known.set(found, name);
    return name;
  }
}
