import { type Clock, JournalError } from "../ports.ts";
import type { DocumentStore, DocumentVersion, Told } from "./document-store.ts";

/** What a journal needs of a store, and whether this one has it. */
export interface Finding {
  /** A sentence that is true of a store that is fit. */
  need: string;
  /** What was seen instead; undefined where it is as it must be. */
  trouble: string | undefined;
}

/** What was found out about a store. */
export interface Probe {
  place: string;
  /** Whether a journal may be kept there. */
  isFit: boolean;
  findings: readonly Finding[];
  /** How far its clock is ahead of this machine's, as far as whole seconds tell. */
  clockAheadMs: number;
  /** Documents of the probe that could not be taken away again. */
  leftBehind: readonly string[];
}

export interface ProbeOptions {
  /** A name that no other probe has, of small letters, digits and `-`. */
  id: string;
  /** How often writers are set against each other. @default 5 */
  rounds?: number;
}

/** Goes up when the probe asks for more: a store that has passed an earlier one is probed again. */
export const PROBE_VERSION = 2;

/** How many write at once. */
const WRITERS = 16;

/** Some clocks tell whole seconds. */
const ROUNDING_MS = 1_000;

/**
 * Tries whether a store keeps what it promises, under names of its own, which it takes away again. There are products that
 * know the requests and ignore the conditions: with one of them, two machines would buy at once.
 *
 * Throws `JournalError` where the store can't be reached at all.
 */
export async function probeStore(
  store: DocumentStore,
  clock: Clock,
  { id, rounds = 5 }: ProbeOptions,
): Promise<Probe> {
  const bench = createBench(store, `probe/${id}/`);
  try {
    const clockAheadMs = await readClock(store, clock, `${bench.folder}none.json`);
    const findings: Finding[] = [];
    for (const { need, look } of listNeeds(bench, rounds)) {
      findings.push({ need, trouble: await findTrouble(look) });
    }
    const isFit = findings.every(({ trouble }) => trouble === undefined);
    return { place: store.place, isFit, findings, clockAheadMs, leftBehind: await bench.clear() };
  } catch (error) {
    await bench.clear();
    throw error;
  }
}

/** Also shows whether there is a store at all. */
async function readClock(store: DocumentStore, clock: Clock, name: string): Promise<number> {
  // The first answer takes longer: a connection is made.
  await store.read(name);
  const beforeMs = clock.now().getTime();
  const { at } = await store.read(name);
  const afterMs = clock.now().getTime();
  return at.getTime() - (beforeMs + afterMs) / 2;
}

/** What a store did that one that is fit does not. */
class Trouble extends Error {}

async function findTrouble(look: () => Promise<void>): Promise<string | undefined> {
  try {
    await look();
    return undefined;
  } catch (error) {
    if (error instanceof Trouble || error instanceof JournalError) return error.message;
    throw error;
  }
}

/** Where a probe works. */
interface Bench {
  store: DocumentStore;
  folder: string;
  /** A name that is taken away at the end. */
  take(name: string): string;
  /** A new document that says "first". */
  begin(name: string): Promise<{ name: string; version: DocumentVersion }>;
  /** @param when completes the sentence that says what else it held. */
  expectText(name: string, expected: string | undefined, when: string): Promise<void>;
  expectListed(name: string, expected: boolean): Promise<void>;
  /** Takes everything away; gives what is left. A right to remove may be missing: a journal needs none. */
  clear(): Promise<string[]>;
}

function createBench(store: DocumentStore, folder: string): Bench {
  const used: string[] = [];

  function take(name: string): string {
    const path = `${folder}${name}`;
    used.push(path);
    return path;
  }

  return {
    store,
    folder,
    take,

    async begin(given) {
      const name = take(given);
      const { value } = await store.create(name, "first");
      return { name, version: expectDone(value, "the first document by a new name was refused") };
    },

    async expectText(name, expected, when) {
      const text = (await store.read(name)).value?.text;
      if (text === expected) return;
      throw new Trouble(`${when} it held ${quote(text)}, not ${quote(expected)}`);
    },

    async expectListed(name, expected) {
      const { value: names } = await store.list(folder);
      if (names.includes(name) !== expected) {
        throw new Trouble(expected ? "it was not listed" : "it was listed after it was removed");
      }
    },

    async clear() {
      const names = used.splice(0);
      const erased = await Promise.allSettled(names.map((name) => store.erase(name)));
      return names.filter((_, index) => erased[index]?.status === "rejected");
    },
  };
}

function quote(text: string | undefined): string {
  return text === undefined ? "nothing" : `"${text}"`;
}

function expectDone(version: DocumentVersion | undefined, otherwise: string): DocumentVersion {
  if (version !== undefined) return version;
  throw new Trouble(otherwise);
}

const NEWEST_REFUSED = "whoever knew its newest version was refused";

/** All that is looked at, in this order. */
function listNeeds(bench: Bench, rounds: number): { need: string; look: () => Promise<void> }[] {
  return [
    { need: "a document is read and listed as soon as it is written", look: () => readBack(bench) },
    { need: "a document keeps every letter", look: () => keepLetters(bench) },
    { need: "a document is not made where there is one", look: () => makeTwice(bench) },
    {
      need: "a document is replaced by whoever knows its newest version, and by nobody else",
      look: () => replaceStale(bench),
    },
    {
      need: "a document is removed by whoever knows its newest version, and by nobody else",
      look: () => removeStale(bench),
    },
    {
      need: `of ${WRITERS} that make a document at once, one does`,
      look: () => raceToMake(bench, rounds),
    },
    {
      need: `of ${WRITERS} that replace a document at once, one does`,
      look: () => raceToReplace(bench, rounds),
    },
    {
      need: "every answer tells the store's clock, which goes forward",
      look: () => askTime(bench),
    },
  ];
}

async function readBack({ begin, expectText, expectListed }: Bench): Promise<void> {
  const { name } = await begin("read.json");
  await expectText(name, "first", "after it was made");
  await expectListed(name, true);
}

/** A stack and a resource are called as somebody likes. */
async function keepLetters({ store, take, expectText }: Bench): Promise<void> {
  const letters = "é ß 日本";
  const name = take("letters.json");
  expectDone((await store.create(name, letters)).value, "a document with letters was refused");
  await expectText(name, letters, "after it was made");
}

async function makeTwice({ store, begin, expectText }: Bench): Promise<void> {
  const { name } = await begin("twice.json");
  const { value: second } = await store.create(name, "second");
  if (second !== undefined) throw new Trouble("it was made a second time");
  await expectText(name, "first", "after a second was refused");
}

async function replaceStale({ store, begin, expectText }: Bench): Promise<void> {
  const { name, version } = await begin("replaced.json");
  const { value: next } = await store.replace(name, version, "second");
  expectDone(next, NEWEST_REFUSED);
  await expectText(name, "second", "after it was replaced");
  const { value: stale } = await store.replace(name, version, "third");
  if (stale !== undefined) throw new Trouble("it was replaced by whoever knew an old version");
  await expectText(name, "second", "after another was refused");
}

async function removeStale({ store, begin, expectText, expectListed }: Bench): Promise<void> {
  const { name, version } = await begin("removed.json");
  const { value } = await store.replace(name, version, "second");
  const next = expectDone(value, NEWEST_REFUSED);
  const { value: isStaleTaken } = await store.remove(name, version);
  if (isStaleTaken) throw new Trouble("it was removed by whoever knew an old version");
  await expectText(name, "second", "after its removal was refused");
  const { value: isRemoved } = await store.remove(name, next);
  if (!isRemoved) throw new Trouble(NEWEST_REFUSED);
  await expectText(name, undefined, "after it was removed");
  await expectListed(name, false);
  const { value: again } = await store.create(name, "third");
  expectDone(again, "it could not be made again after it was removed");
  await expectText(name, "third", "after it was made again");
}

async function raceToMake(bench: Bench, rounds: number): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    const name = bench.take(`made-${round}.json`);
    await race(bench, { name, round, rounds }, (text) => bench.store.create(name, text));
  }
}

async function raceToReplace(bench: Bench, rounds: number): Promise<void> {
  const { name, version } = await bench.begin("raced.json");
  let newest = version;
  for (let round = 1; round <= rounds; round++) {
    const base = newest;
    const write = (text: string) => bench.store.replace(name, base, text);
    newest = await race(bench, { name, round, rounds }, write);
  }
}

/** Gives what the winner has written. */
async function race(
  { expectText }: Bench,
  { name, round, rounds }: { name: string; round: number; rounds: number },
  write: (text: string) => Promise<Told<DocumentVersion | undefined>>,
): Promise<DocumentVersion> {
  const texts = Array.from({ length: WRITERS }, (_, index) => `writer ${index} of round ${round}`);
  const told = await Promise.all(
    texts.map(async (text) => ({ text, version: (await write(text)).value })),
  );
  const winners = told.filter(({ version }) => version !== undefined);
  const [winner] = winners;
  if (winner?.version === undefined || winners.length > 1) {
    throw new Trouble(
      `${winners.length} of ${WRITERS} were told that they had, in round ${round} of ${rounds}`,
    );
  }
  await expectText(name, winner.text, "after one had won");
  return winner.version;
}

async function askTime({ store, begin, folder }: Bench): Promise<void> {
  const { name } = await begin("clock.json");
  const answers = [await store.read(name), await store.list(folder), await store.read(name)];
  const moments = answers.map(({ at }) => at.getTime());
  if (moments.some(Number.isNaN)) throw new Trouble("an answer told none");
  const wentBack = moments.some((at, index) => at < (moments[index - 1] ?? at) - ROUNDING_MS);
  if (wentBack) throw new Trouble("it went back between two answers");
}
