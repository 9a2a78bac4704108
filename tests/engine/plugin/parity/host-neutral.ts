/** Makes the output of the two hosts comparable. */
export interface HostNeutral {
  /** Makes the resources' types, and everything that follows from them, the same in a text or value of either host. */
  of<Value>(value: Value): Value;
}

/** The types of the resources whose value no preview knows. */
export const lateValueTypes = /\blate:index:Value\b|\bpulumi-nodejs:dynamic:Resource\b/g;

/** A text that differs between the hosts, and what replaces it in the comparison. */
interface Difference {
  readonly pattern: RegExp;
  become(found: string, names: Names): string;
}

/**
 * Every difference that is allowed in a plan, a state or a line, and why. Nothing else may differ. Hashes get names by
 * order of appearance. So a hash that one host keeps and the other makes anew still differs.
 */
const differences: readonly Difference[] = [
  // The engine does not tell a dynamic provider its URN. The sdk gives it one, with the organisation in front.
  { pattern: /organization\/urn:/g, become: () => "urn:" },
  // The engine calls a resource like this if it is written in the program's language.
  { pattern: /pulumi-nodejs:dynamic\/proxyrental:/g, become: () => "proxyrental:index:" },
  // The resource that gives a program a value that no preview knows.
  { pattern: lateValueTypes, become: () => "late:Value" },
  // Request ids and the ids of these resources are hashes of the owner, which contains the type.
  { pattern: /\b[0-9a-f]{32}\b/g, become: (found, names) => names.of("request", found) },
  // A hand-over has a random name.
  {
    pattern: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
    become: (found, names) => names.of("hand-over", found),
  },
  { pattern: /\bauto-extend-[0-9a-f]{12}\b/g, become: (found, names) => names.of("flag", found) },
  { pattern: /\bextension-[0-9a-f]{12}\b/g, become: (found, names) => names.of("paid", found) },
  // The journal's name of an intent begins with its request id.
  {
    pattern: /(?<=journal (?:resolve|show) |\(purchase )[0-9a-f]{12}/g,
    become: (f, names) => names.of("intent", f),
  },
  // The seconds of the service's time differ, because this machine measures the time since the last answer.
  { pattern: /(?<=\bat [-0-9]+T\d\d:\d\d):[0-9.]+Z/g, become: () => "Z" },
  // The engine also prints what a dynamic provider throws, beside the message at the resource.
  { pattern: /^[A-Z_]+: explained at the resource$/gm, become: () => "" },
];

/** The engine marks a secret by these 32 digits, which are no hash of ours. */
const marks: ReadonlySet<string> = new Set([
  "4dabf18193072939515e22adb298388d",
  "1b47061264138c4ac30d75fd1eb44270",
]);

/** Makes one for a whole scenario on one host. */
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
        // Only a dynamic resource has this text.
        .filter(([name]) => name !== "__provider")
        // The time of a purchase is from this machine's clock.
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
