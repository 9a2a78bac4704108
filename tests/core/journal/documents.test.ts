import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type {
  DocumentStore,
  DocumentVersion,
} from "../../../provider/core/journal/document-store.ts";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { JournalError } from "../../../provider/core/ports.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { createMemoryStore, type MemoryStore, type Mishap } from "../support/memory-store.ts";

const NAME = "a/b.json";

function begin(): { raw: MemoryStore; documents: DocumentStore; other: DocumentStore } {
  const clock = createVirtualClock();
  const raw = createMemoryStore(clock.now);
  return { raw, documents: openDocuments(raw, clock), other: openDocuments(raw, clock) };
}

/** A document that is there, and the version that its maker was told. */
async function beginWith(text: string) {
  const scene = begin();
  return { ...scene, version: told(await scene.documents.create(NAME, text)) };
}

function told({ value }: { value: DocumentVersion | undefined }): DocumentVersion {
  if (value === undefined) throw new Error("it was refused");
  return value;
}

async function textOf(documents: DocumentStore): Promise<string | undefined> {
  return (await documents.read(NAME)).value?.text;
}

async function troubleOf(action: Promise<unknown>): Promise<JournalError> {
  const error = await action.then(
    (value) => new Error(`it did not fail but gave ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof JournalError) return error;
  throw error;
}

describe("a write whose answer was lost is known by its nonce", () => {
  test("a document that was made", async () => {
    const { raw, documents } = begin();
    raw.expect("lostAnswer");
    const version = told(await documents.create(NAME, "one"));
    expect(version.revision).toBe(1);
    told(await documents.replace(NAME, version, "two"));
    expect(raw.historyOf(NAME)).toHaveLength(2);
  });

  test("a document that was replaced", async () => {
    const { raw, documents, version } = await beginWith("one");
    raw.expect("lostAnswer");
    const next = told(await documents.replace(NAME, version, "two"));
    expect(next.revision).toBe(2);
    told(await documents.replace(NAME, next, "three"));
    expect(raw.historyOf(NAME)).toHaveLength(3);
  });

  test("a document that was removed", async () => {
    const { raw, documents, version } = await beginWith("one");
    raw.expect("lostAnswer");
    expect(await documents.remove(NAME, version)).toMatchObject({ value: true });
    expect(await textOf(documents)).toBeUndefined();
  });

  test("a request that never arrived is sent again, and carried out once", async () => {
    const { raw, documents, version } = await beginWith("one");
    raw.expect("lostRequest");
    told(await documents.replace(NAME, version, "two"));
    expect(raw.historyOf(NAME)).toHaveLength(2);
  });

  test("a product's own repetition that fails by its own success is no failure", async () => {
    const { raw, documents, version } = await beginWith("one");
    // What a client library or a proxy does by itself: the first try is carried out, the second is answered.
    const replace = raw.replace.bind(raw);
    raw.replace = async (...args) => {
      await replace(...args);
      return replace(...args);
    };
    told(await documents.replace(NAME, version, "two"));
    expect(raw.historyOf(NAME)).toHaveLength(2);
  });
});

describe("where somebody has gone on from it meanwhile", () => {
  test("the writer is told that it was carried out, and can't go on from it itself", async () => {
    const { raw, documents, other, version } = await beginWith("one");
    raw.expect("lostAnswer");
    raw.meanwhile(async () => {
      const { value } = await other.read(NAME);
      if (value) await other.replace(NAME, value.version, "three");
    });
    const second = told(await documents.replace(NAME, version, "two"));
    expect(second).toMatchObject({ revision: 2, productVersion: undefined });
    expect((await documents.replace(NAME, second, "four")).value).toBeUndefined();
    expect((await documents.remove(NAME, second)).value).toBe(false);
    expect(await textOf(documents)).toBe("three");
  });

  test("another's write is never taken for one's own", async () => {
    const { raw, documents, other, version } = await beginWith("one");
    raw.expect("lostRequest");
    const lost = documents.replace(NAME, version, "two");
    told(await other.replace(NAME, version, "two"));
    expect((await lost).value).toBeUndefined();
  });

  test("a removal tells what it has taken away", async () => {
    const { raw, documents, other, version } = await beginWith("one");
    raw.expect("lostAnswer");
    raw.meanwhile(async () => {
      const { value } = await other.read(NAME);
      if (value) await other.remove(NAME, value.version);
    });
    expect(told(await documents.replace(NAME, version, "two")).revision).toBe(2);
    expect(await textOf(documents)).toBeUndefined();
  });

  test("nobody is told a guess: two steps and a removal hide whether the lost write was carried out", async () => {
    const { raw, documents, other, version } = await beginWith("one");
    raw.expect("lostAnswer");
    raw.meanwhile(async () => {
      const { value } = await other.read(NAME);
      const { value: next } = value ? await other.replace(NAME, value.version, "x") : {};
      if (next) await other.remove(NAME, next);
    });
    const { reason, message } = await troubleOf(documents.replace(NAME, version, "two"));
    expect(reason).toBe("unavailable");
    expect(message).toContain("nobody knows whether a/b.json was written");
  });

  test("a document that was removed and made again meanwhile hides who made it first, however often it is written", async () => {
    for (let written = 1; written <= 20; written++) {
      const { raw, documents, other } = begin();
      raw.expect("lostAnswer");
      raw.meanwhile(async () => {
        const { value: first } = await other.read(NAME);
        if (first) await other.remove(NAME, first.version);
        let version = told(await other.create(NAME, "again"));
        for (let n = 2; n <= written; n++) {
          version = told(await other.replace(NAME, version, `more ${n}`));
        }
      });
      const outcome = await documents.create(NAME, "one").then(
        ({ value }) => value !== undefined,
        (error: unknown) => String(error).includes("nobody knows"),
      );
      expect(outcome, `after ${written}`).toBe(true);
    }
  });

  test.each([1, 7, 8, 30])(
    "%d further revisions later it is known, or said that it is not",
    async (count) => {
      const { raw, documents, other, version } = await beginWith("one");
      raw.expect("lostAnswer");
      raw.meanwhile(async () => {
        for (let n = 0; n < count; n++) {
          const { value } = await other.read(NAME);
          if (value) told(await other.replace(NAME, value.version, `more ${n}`));
        }
      });
      const outcome = documents.replace(NAME, version, "two");
      if (count < 8) expect(told(await outcome).revision).toBe(2);
      else expect((await troubleOf(outcome)).message).toContain("nobody knows");
    },
  );
});

describe("versions", () => {
  test("the same text again is another version, though its hash would be the same", async () => {
    const { documents, version } = await beginWith("A");
    const second = told(await documents.replace(NAME, version, "B"));
    told(await documents.replace(NAME, second, "A"));
    expect((await documents.replace(NAME, version, "C")).value).toBeUndefined();
    expect((await documents.remove(NAME, version)).value).toBe(false);
    expect(await textOf(documents)).toBe("A");
  });

  test("a document that was removed and made again is another one", async () => {
    const { documents, version } = await beginWith("A");
    expect((await documents.remove(NAME, version)).value).toBe(true);
    expect((await documents.list("")).value).toEqual([]);
    const again = told(await documents.create(NAME, "A"));
    expect((await documents.replace(NAME, version, "B")).value).toBeUndefined();
    told(await documents.replace(NAME, again, "B"));
  });

  test("of two that remove one version one is told that it has", async () => {
    const { documents, other, version } = await beginWith("A");
    const removed = await Promise.all([
      documents.remove(NAME, version),
      other.remove(NAME, version),
    ]);
    expect(removed.map(({ value }) => value).toSorted()).toEqual([false, true]);
  });

  test("what was made late finds the name of a removed document taken", async () => {
    const { raw, documents, version } = await beginWith("A");
    const [late = ""] = raw.historyOf(NAME);
    await documents.remove(NAME, version);
    expect((await raw.create(NAME, late, 1)).value).toBeUndefined();
  });

  test.each([
    "",
    "\n",
    "removed 0123456789abcdef 0123456789abcdef",
    '{"revision":1}',
    "ü\r\n\0 𝒳",
    "long",
  ])("any text comes back as it was: %j", async (text) => {
    const { documents } = await beginWith(text);
    expect(await textOf(documents)).toBe(text);
    expect((await documents.list("a/")).value).toEqual([NAME]);
  });
});

describe("trouble", () => {
  test("what is refused is told at once, with place and cause in one sentence", async () => {
    const { raw, documents } = begin();
    raw.expect("refused");
    const { reason, message } = await troubleOf(documents.create(NAME, "one"));
    expect({ reason, message }).toEqual({
      reason: "unavailable",
      message: "the journal in memory: can't be used (access denied)",
    });
    expect(raw.requests()).toBe(1);
  });

  test("a conflict is asked again, until the deadline", async () => {
    const { raw, documents } = begin();
    raw.expect("busy", "busy", "busy", "busy", "busy");
    told(await documents.create(NAME, "one"));
    raw.expect(...Array<Mishap>(1_000).fill("busy"));
    const { message } = await troubleOf(documents.read(NAME));
    expect(message).toContain("somebody else is writing; given up after 10 s");
  });

  test("without an answer it is given up after three, read or write", async () => {
    const { raw, documents } = begin();
    const lost: Mishap[] = ["lostRequest", "lostRequest", "lostRequest"];
    for (const action of [
      () => documents.read(NAME),
      () => documents.create(NAME, "one"),
      () => documents.list(""),
    ]) {
      const before = raw.requests();
      raw.expect(...lost);
      expect((await troubleOf(action())).message).toContain("connection lost");
      expect(raw.requests() - before).toBe(3);
    }
  });

  test("each question is given half of the time that is left", async () => {
    const clock = createVirtualClock();
    const raw = createMemoryStore(clock.now);
    const limits: number[] = [];
    const documents = openDocuments(
      {
        ...raw,
        read: (name, limitMs) => {
          limits.push(limitMs);
          clock.advance(limitMs);
          return raw.read(name, limitMs);
        },
      },
      clock,
      { deadlineMs: 8_000 },
    );
    raw.expect("lostAnswer", "lostAnswer");
    await documents.read(NAME);
    expect(limits[0]).toBe(4_000);
    expect(limits[1]).toBeLessThanOrEqual(2_000);
    expect(limits[2]).toBeLessThanOrEqual(1_000);
  });

  test("what somebody else has written there is not taken for a document", async () => {
    const { raw, documents } = begin();
    await raw.create(NAME, '{"phase":"placed"}\n', 1);
    const { reason, message } = await troubleOf(documents.read(NAME));
    expect(reason).toBe("unreadable");
    expect(message).toBe(
      "a/b.json in memory: was not written by this journal, or was changed by hand",
    );
    expect((await troubleOf(documents.create(NAME, "one"))).reason).toBe("unreadable");
  });

  test.each(["", "/a", "a/", "a//b", "../a", "a/../b", "A", "a b", ".a", "a@"])(
    "%j is no name",
    async (name) => {
      const { documents } = begin();
      await expect(documents.read(name)).rejects.toThrow("is no name of a document");
    },
  );
});

describe("whatever goes wrong for several writers", () => {
  const mishap = fc.constantFrom<Mishap>("none", "none", "lostRequest", "lostAnswer", "busy");
  const step = fc.constantFrom("replace", "remove", "create");
  const writers = fc.array(fc.array(step, { maxLength: 6 }), { minLength: 2, maxLength: 4 });

  test("what they were told is what has happened, once", async () => {
    const property = fc.asyncProperty(writers, fc.array(mishap), async (given, mishaps) => {
      const { raw } = begin();
      raw.expect(...mishaps);
      const told: { nonce: string; done: boolean }[] = [];
      const runs = given.map(async (steps, writer) => {
        for (const [index, what] of steps.entries()) {
          const nonce = `${writer}-${index}`.padEnd(16, "-");
          const makeNonce = () => nonce;
          const documents = openDocuments(raw, createVirtualClock(), { makeNonce });
          const done = await act(documents, what).catch(unlessInDoubt);
          if (done !== undefined) told.push({ nonce, done });
        }
      });
      await Promise.all(runs);
      const history = raw.historyOf(NAME).map(noncesIn);
      for (const { nonce, done } of told) {
        expect(history.filter(([own]) => own === nonce)).toHaveLength(done ? 1 : 0);
      }
      // Each revision goes on from the one before it: nothing was written over.
      for (const [index, [, before]] of history.entries()) {
        expect(before).toBe(history[index - 1]?.[0]);
      }
    });
    await fc.assert(property, { numRuns: 1_000 });
  });

  /** Whether it was done; undefined where there was nothing to do it to. */
  async function act(documents: DocumentStore, what: string): Promise<boolean | undefined> {
    if (what === "create") return (await documents.create(NAME, "x")).value !== undefined;
    const { value } = await documents.read(NAME);
    if (value === undefined) return undefined;
    if (what === "remove") return (await documents.remove(NAME, value.version)).value;
    return (await documents.replace(NAME, value.version, "x")).value !== undefined;
  }

  function unlessInDoubt(error: unknown): undefined {
    if (error instanceof JournalError && error.reason === "unavailable") return undefined;
    throw error;
  }

  function noncesIn(text: string): string[] {
    const [, by, before] = /^removed (\S+) (\S+)$/.exec(text) ?? [];
    if (by !== undefined && before !== undefined) return [by, before];
    return JSON.parse(text.split("\n")[0] ?? "").nonces;
  }
});
