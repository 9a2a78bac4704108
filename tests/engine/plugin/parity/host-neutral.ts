/** Makes what one host says comparable with what the other says. */
export interface HostNeutral {
  /** Any text or value, with the resources' types and all that follows from them made alike. */
  of<Value>(value: Value): Value;
}

/** The types of the resources whose value no preview knows. */
export const lateValueTypes = /\blate:index:Value\b|\bpulumi-nodejs:dynamic:Resource\b/g;

/** What the two hosts say differently, and what stands for it in the comparison. */
interface Difference {
  readonly pattern: RegExp;
  become(found: string, names: Names): string;
}

/**
 * Every difference that is allowed in a plan, a state or a line, and why; nothing else is. Hashes get names by
 * order of appearance, so that what is kept on one host and made anew on the other still differs.
 */
const differences: readonly Difference[] = [
  // A dynamic provider is not told its URN: the sdk gives it one, with the organisation in front.
  { pattern: /organization\/urn:/g, become: () => "urn:" },
  // How the engine calls a resource that is written in the program's language.
  { pattern: /pulumi-nodejs:dynamic\/proxyrental:/g, become: () => "proxyrental:index:" },
  // Where a program takes a value from that no preview knows.
  { pattern: lateValueTypes, become: () => "late:Value" },
  // Request ids and these resources' ids are hashes of the owner, in which the type stands.
  { pattern: /\b[0-9a-f]{32}\b/g, become: (found, names) => names.of("request", found) },
  { pattern: /\bauto-extend-[0-9a-f]{12}\b/g, become: (found, names) => names.of("flag", found) },
  { pattern: /\bextension-[0-9a-f]{12}\b/g, become: (found, names) => names.of("paid", found) },
  // The journal's name of a purchase begins with its request id.
  {
    pattern: /(?<=journal (?:resolve|show) )[0-9a-f]{12}/g,
    become: (f, names) => names.of("intent", f),
  },
  // The seconds of the service's time, as this machine has measured it on since the last answer.
  { pattern: /(?<=\bat [-0-9]+T\d\d:\d\d):[0-9.]+Z/g, become: () => "Z" },
  // The engine prints what a dynamic provider throws, beside the message at the resource.
  { pattern: /^[A-Z_]+: explained at the resource$/gm, become: () => "" },
];

/** How the engine marks a secret: by 32 digits that are no hash of ours. */
const marks: ReadonlySet<string> = new Set([
  "4dabf18193072939515e22adb298388d",
  "1b47061264138c4ac30d75fd1eb44270",
]);

/** Of a run of one host from its beginning to its end. */
export function createHostNeutral(): HostNeutral {
  const names = new Names();
  const neutral = (text: string) =>
    differences.reduce(
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
    if (marks.has(found)) return found;
    const name = this.#known.get(found) ?? `${kind} ${this.#known.size + 1}`;
    this.#known.set(found, name);
    return name;
  }
}
