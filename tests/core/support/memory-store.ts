import { createHash } from "node:crypto";
import {
  type RawDocument,
  type RawStore,
  StoreFailure,
} from "../../../provider/core/journal/raw-store.ts";

/** What befalls one request: nothing, or that it does not arrive, or that its answer does not. */
export type Mishap = "none" | "lostRequest" | "lostAnswer" | "busy" | "refused";

/** A store of the test's own process, which can be told what goes wrong. */
export interface MemoryStore extends RawStore {
  /** Every text that ever stood under a name, the oldest first. */
  historyOf(name: string): string[];
  /** What befalls the next requests, one each; then nothing does. */
  expect(...mishaps: Mishap[]): void;
  /** Something that somebody else does before the next answer comes, once. */
  meanwhile(work: () => Promise<unknown>): void;
  /** Writes whatever stands there, as a product does that ignores conditions. */
  force(name: string, text: string): Promise<{ value: string; at: Date }>;
  /** How many requests there were. */
  requests(): number;
}

/** Versions are content hashes, as some products have them: the same text is the same version. */
export function createMemoryStore(now: () => Date = () => new Date()): MemoryStore {
  const texts = new Map<string, string>();
  const histories = new Map<string, string[]>();
  const mishaps: Mishap[] = [];
  let between: (() => Promise<unknown>) | undefined;
  let asked = 0;

  const versionOf = (text: string) => createHash("md5").update(text).digest("hex");

  async function answer<Value>(work: () => Value): Promise<{ value: Value; at: Date }> {
    asked++;
    const mishap = mishaps.shift() ?? "none";
    await Promise.resolve();
    if (mishap === "busy") throw new StoreFailure("busy", "somebody else is writing");
    if (mishap === "refused") throw new StoreFailure("refused", "access denied");
    if (mishap === "lostRequest") throw new StoreFailure("unanswered", "connection lost");
    const value = work();
    const meant = between;
    between = undefined;
    await meant?.();
    if (mishap === "lostAnswer") throw new StoreFailure("unanswered", "connection lost");
    return { value, at: now() };
  }

  function put(name: string, text: string): string {
    texts.set(name, text);
    histories.set(name, [...(histories.get(name) ?? []), text]);
    return versionOf(text);
  }

  return {
    place: "memory:",
    historyOf: (name) => histories.get(name) ?? [],
    expect: (...given) => void mishaps.push(...given),
    meanwhile(work) {
      between = work;
    },
    force: (name, text) => answer(() => put(name, text)),
    requests: () => asked,
    read: (name) =>
      answer((): RawDocument | undefined => {
        const text = texts.get(name);
        return text === undefined ? undefined : { text, version: versionOf(text) };
      }),
    create: (name, text) => answer(() => (texts.has(name) ? undefined : put(name, text))),
    replace: (name, version, text) =>
      answer(() => {
        const current = texts.get(name);
        return current !== undefined && versionOf(current) === version
          ? put(name, text)
          : undefined;
      }),
    list: (prefix) =>
      answer(() =>
        [...texts]
          .filter(([name]) => name.startsWith(prefix))
          .map(([name, text]) => ({ name, bytes: Buffer.byteLength(text) })),
      ),
    erase: async (name) => void (await answer(() => texts.delete(name))),
    close: async () => undefined,
  };
}
