import { AsyncLocalStorage } from "node:async_hooks";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type {
  DocumentStore,
  DocumentVersion,
} from "../../../provider/core/journal/document-store.ts";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { KEPT_NONCES } from "../../../provider/core/journal/envelope.ts";
import { bound } from "../../../provider/journals/bounded-store.ts";
import { createDocumentFiles } from "../../../provider/journals/file/document-files.ts";
import { machineTime } from "../../../provider/journals/machine-time.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { filesIn, makeFolder } from "./folders.ts";

/** What was asked of the disk, in turn; and who decides when the next is. */
const disk = vi.hoisted(() => ({
  steps: [] as string[],
  gate: async (_step: string): Promise<void> => undefined,
  /** What is answered where a step was carried out. */
  answer: (_step: string): Error | undefined => undefined,
}));

vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs/promises")>();
  const nameOf = (path: unknown) =>
    String(path)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")
      .split("/")
      .slice(-2)
      .join("/")
      .replace(/^.*(?=\.drafts)/, "")
      .replace(/^.*proxyrental-journal-\w+/, "root")
      .replace(/^root\/(?=\w+\.json@$)/, "");
  /** Each call waits until it is let through. */
  const gated =
    <Args extends unknown[], Value>(
      verb: string,
      call: (...args: Args) => Promise<Value>,
      at: number,
    ) =>
    async (...args: Args): Promise<Value> => {
      const step = `${verb} ${nameOf(args[at])}`;
      await disk.gate(step);
      disk.steps.push(step);
      const value = await call(...args);
      const failure = disk.answer(step);
      if (failure !== undefined) throw failure;
      return value;
    };
  return {
    ...real,
    async open(...args: Parameters<typeof real.open>) {
      const name = nameOf(args[0]);
      await disk.gate(`open ${name}`);
      const handle = await real.open(...args);
      // Nothing of what is tried here needs a disk that was really flushed.
      handle.sync = async () => void disk.steps.push(`flush ${name}`);
      return handle;
    },
    rename: gated("name", real.rename, 1),
    rm: gated("remove", real.rm, 0),
    readdir: gated("list", real.readdir as (path: string) => Promise<string[]>, 0),
  };
});

function openIn(folder: string): DocumentStore {
  return openDocuments(bound(createDocumentFiles(folder, machineTime)), createVirtualClock());
}

/** What has changed the disk for good. */
function takeChanges(): string[] {
  return disk.steps.splice(0).filter((step) => /^(flush|name)|^remove x/.test(step));
}

test("a document is flushed before it gets its name, and its name before it is answered", async () => {
  const store = openIn(makeFolder());
  takeChanges();
  const { value: version } = await store.create("x.json", "1");
  expect(takeChanges()).toEqual([
    "flush ID/1.ID",
    "flush .drafts/ID",
    "name x.json@",
    "flush root",
  ]);
  if (version !== undefined) await store.replace("x.json", version, "2");
  expect(takeChanges()).toEqual([
    "flush x.json@/2.ID.draft",
    "flush x.json@",
    "name x.json@/1.ID.ID",
    "name x.json@/2.ID",
    "flush x.json@",
    "remove x.json@/1.ID.ID",
  ]);
});

test("a new folder's own name is flushed too", async () => {
  const store = openIn(makeFolder());
  takeChanges();
  await store.create("a/b/x.json", "1");
  const flushed = takeChanges().filter((step) => step.startsWith("flush"));
  expect(flushed).toEqual(expect.arrayContaining(["flush a/b", "flush root/a", "flush root"]));
});

/** Whose steps they are. */
const writing = new AsyncLocalStorage<Writer>();

/** Somebody whose steps on the disk are let through one by one. */
class Writer {
  #waiting: { step: string; go: () => void } | undefined;
  #hasEnded = false;
  #onChange = Promise.withResolvers<void>();
  /** What it came to, when it has ended. */
  outcome: Promise<unknown> = Promise.resolve();

  begin(work: () => Promise<unknown>): this {
    this.outcome = writing.run(this, work);
    const end = () => {
      this.#hasEnded = true;
      this.#changed();
    };
    this.outcome.then(end, end);
    return this;
  }

  /** What it waits for before each step. */
  async arrive(step: string): Promise<void> {
    await new Promise<void>((go) => {
      this.#waiting = { step, go };
      this.#changed();
    });
  }

  /** Lets it take so many steps; fewer where it comes to its end. */
  async take(steps: number): Promise<void> {
    for (let left = steps; left > 0 && (await this.#next()) !== undefined; left--) this.#go();
    await this.#next();
  }

  /** Lets it go on until it is about to take this step. */
  async runTo(step: RegExp): Promise<void> {
    for (;;) {
      const next = await this.#next();
      if (next === undefined) throw new Error(`it has ended before ${step}`);
      if (step.test(next)) return;
      this.#go();
    }
  }

  #go(): void {
    const { go } = this.#waiting ?? {};
    this.#waiting = undefined;
    go?.();
  }

  /** The step that it waits for; undefined where it has ended. */
  async #next(): Promise<string | undefined> {
    while (this.#waiting === undefined && !this.#hasEnded) await this.#onChange.promise;
    return this.#waiting?.step;
  }

  #changed(): void {
    const { resolve } = this.#onChange;
    this.#onChange = Promise.withResolvers();
    resolve();
  }
}

disk.gate = async (step) => writing.getStore()?.arrive(step);

async function makeDocument(): Promise<{ folder: string; version: DocumentVersion }> {
  const folder = makeFolder();
  const { value: version } = await openIn(folder).create("x.json", "begun");
  if (version === undefined) throw new Error("it was refused");
  return { folder, version };
}

const DECIDES = /^name x.json@.1.ID.ID$/;
const PUBLISHES = /^name x.json@.2.ID$/;

test("who stands still before it decides has written nothing, however far others go meanwhile", async () => {
  const { folder, version } = await makeDocument();
  const late = new Writer().begin(() => openIn(folder).replace("x.json", version, "late"));
  await late.runTo(DECIDES);
  await add(openIn(folder), 1, []);
  await late.take(Number.POSITIVE_INFINITY);
  expect(await late.outcome).toMatchObject({ value: undefined });
  expect((await openIn(folder).read("x.json")).value?.text).not.toContain("late");
  expect(filesIn(folder)).toHaveLength(1);
});

test("who stands still after it has decided has written, and others go on from there", async () => {
  const { folder, version } = await makeDocument();
  const late = new Writer().begin(() => openIn(folder).replace("x.json", version, "decided"));
  await late.runTo(PUBLISHES);
  expect((await openIn(folder).list("")).value).toEqual(["x.json"]);
  expect((await openIn(folder).read("x.json")).value?.text).toBe("decided");
  await add(openIn(folder), 1, []);
  await late.take(Number.POSITIVE_INFINITY);
  expect(await late.outcome).toMatchObject({ value: { revision: 2 } });
  expect((await openIn(folder).read("x.json")).value?.text).toMatch(/^decided 1\.0 .* 1\.11$/);
  expect(filesIn(folder)).toHaveLength(1);
});

test("who stands still after it has decided, until its document is erased and made again, sweeps nothing of the new one", async () => {
  const { folder, version } = await makeDocument();
  const late = new Writer().begin(() => openIn(folder).replace("x.json", version, "decided"));
  await late.runTo(PUBLISHES);
  await openIn(folder).erase("x.json");
  const { value: made } = await openIn(folder).create("x.json", "made again");
  const second = new Writer().begin(async () => {
    if (made) await openIn(folder).replace("x.json", made, "and written");
  });
  await second.runTo(PUBLISHES);
  await late.take(Number.POSITIVE_INFINITY);
  await second.take(Number.POSITIVE_INFINITY);
  expect((await openIn(folder).read("x.json")).value?.text).toBe("and written");
});

test("what a backup or a cache has put back beside a newer revision is not read, and goes with the next write", async () => {
  const { folder, version } = await makeDocument();
  const [first = ""] = filesIn(folder);
  const text = await readFile(join(folder, first), "utf8");
  const { value: second } = await openIn(folder).replace("x.json", version, "newer");
  await writeFile(join(folder, first), text);
  expect((await openIn(folder).read("x.json")).value?.text).toBe("newer");
  if (second) await openIn(folder).replace("x.json", second, "newest");
  expect(filesIn(folder)).toEqual([expect.stringMatching(/^x\.json@\/3\./)]);
});

test.each([
  ["is carried out twice and says so, as in a network", DECIDES, "ENOENT"],
  ["is carried out and fails", DECIDES, "EIO"],
  ["fails once it is decided", PUBLISHES, "ENOSPC"],
])("what %s is told as written", async (_case, step, code) => {
  const { folder, version } = await makeDocument();
  disk.answer = (taken) =>
    step.test(taken) ? Object.assign(new Error(code), { code }) : undefined;
  const { value } = await openIn(folder).replace("x.json", version, "written");
  disk.answer = () => undefined;
  expect(value?.revision).toBe(2);
  expect((await openIn(folder).read("x.json")).value?.text).toBe("written");
});

test("wherever writers stand still or are killed, nothing is written over, and none is told what is not so", async () => {
  const count = 3;
  const burst = fc.record({ writer: fc.nat(count - 1), steps: fc.oneof(fc.nat(40), fc.nat(400)) });
  const killed = fc.option(fc.nat(count - 1), { nil: undefined });
  const property = fc.asyncProperty(
    fc.array(burst, { maxLength: 30 }),
    killed,
    async (bursts, dead) => {
      const { folder } = await makeDocument();
      const added: string[] = [];
      const writers = Array.from({ length: count }, (_, index) =>
        new Writer().begin(() => add(openIn(folder), index, added)),
      );
      for (const { writer, steps } of bursts) await writers[writer]?.take(steps);
      const alive = writers.filter((_, index) => index !== dead);
      for (const writer of alive) await writer.take(Number.POSITIVE_INFINITY);
      await Promise.all(alive.map(({ outcome }) => outcome));
      const { value } = await openIn(folder).read("x.json");
      const words = value?.text.split(" ").slice(1) ?? [];
      expect(new Set(words).size).toBe(words.length);
      expect(words).toEqual(expect.arrayContaining(added));
      // No more than what one that was killed has written and was not told.
      expect(words.length - added.length).toBeLessThanOrEqual(dead === undefined ? 0 : 1);
    },
  );
  await fc.assert(property, { numRuns: 80 });
}, 60_000);

/** More than the documents remember of who has written. */
const WORDS = KEPT_NONCES + 4;

/** Adds words to a document, whoever else does; says which it was told that it has. */
async function add(store: DocumentStore, writer: number, added: string[]): Promise<void> {
  for (let n = 0; n < WORDS; ) {
    const { value } = await store.read("x.json");
    if (value === undefined) throw new Error("it is gone");
    const word = `${writer}.${n}`;
    const next = await store.replace("x.json", value.version, `${value.text} ${word}`);
    if (next.value === undefined) continue;
    added.push(word);
    n++;
  }
}
