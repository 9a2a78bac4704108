import { expect, onTestFinished, test, vi } from "vitest";
import type { DocumentStore } from "../../../provider/core/journal/document-store.ts";
import { troubleOf } from "../file/folders.ts";
import { askEverything, type Bench, done, textOf } from "../store-contract.ts";
import { beginMeddler, type Meddler } from "./meddler.ts";
import { findPort, type RunningProduct } from "./products/product.ts";

const NAME = "a.json";

/** A store that somebody stands before, and another one that nobody does. */
interface Scene {
  store: DocumentStore;
  other: DocumentStore;
  meddler: Meddler;
}

let scenes = 0;

/** Connections are open already: what is lost is lost of a request. */
export async function beginScene(
  { product, open }: Bench<RunningProduct>,
  deadlineMs = 10_000,
): Promise<Scene> {
  const { port } = product();
  if (port === undefined) throw new Error("it has no port");
  const meddler = await beginMeddler(port);
  onTestFinished(() => meddler.end());
  const journal = `trouble-${++scenes}`;
  const other = await open(journal);
  const store = await open(journal, { port: meddler.port, deadlineMs });
  await store.read(NAME);
  return { store, other, meddler };
}

/** What goes wrong on the way between a store and its product, which is the same for all. */
export function declareTrouble(bench: Bench<RunningProduct>): void {
  test("a write whose answer is lost is known for its own: made, replaced, removed", async () => {
    const { store, other, meddler } = await beginScene(bench);
    meddler.loseNextAnswer();
    const first = done(await store.create(NAME, "one"));
    meddler.loseNextAnswer();
    const second = done(await store.replace(NAME, first, "two"));
    expect(second.revision).toBe(2);
    expect(await textOf(other, NAME)).toBe("two");
    meddler.loseNextAnswer();
    expect((await store.remove(NAME, second)).value).toBe(true);
    expect(await textOf(other, NAME)).toBeUndefined();
  });

  test("a write that does not arrive is sent again, and done once", async () => {
    const { store, meddler } = await beginScene(bench);
    meddler.loseNextRequest();
    const first = done(await store.create(NAME, "one"));
    meddler.loseNextRequest();
    expect(done(await store.replace(NAME, first, "two")).revision).toBe(2);
  });

  test("a lost answer that somebody else goes on from is known as well", async () => {
    const { store, other, meddler } = await beginScene(bench);
    const first = done(await store.create(NAME, "one"));
    meddler.loseNextAnswer(async () => {
      const { value } = await other.read(NAME);
      if (value) done(await other.replace(NAME, value.version, "three"));
    });
    const second = done(await store.replace(NAME, first, "two"));
    expect((await store.replace(NAME, second, "four")).value).toBeUndefined();
    expect(await textOf(store, NAME)).toBe("three");
  });

  test("what somebody else has written meanwhile is not taken for its own", async () => {
    const { store, other, meddler } = await beginScene(bench);
    meddler.loseNextRequest(async () => done(await other.create(NAME, "one")));
    expect((await store.create(NAME, "one")).value).toBeUndefined();
  });

  test("without an answer it is unavailable at its deadline", async () => {
    const { store, meddler } = await beginScene(bench, 600);
    meddler.goSilent();
    const begunMs = performance.now();
    const { reason, message } = await troubleOf(store.create(NAME, "one"));
    expect(reason).toBe("unavailable");
    expect(message).toMatch(/^the journal in \S.* can't be used \(no answer within [\d.]+ s/);
    expect(message).toContain(store.place);
    expect(performance.now() - begunMs).toBeLessThan(5_000);
  });

  test("where nobody listens it is unavailable, with place and cause and no secret", async () => {
    const store = await bench.open("away", { port: await findPort() });
    const { reason, message } = await troubleOf(store.read(NAME));
    expect(reason).toBe("unavailable");
    expect(message).toContain(`the journal in ${store.place} can't be used (`);
    expect(message).toContain("ECONNREFUSED");
    for (const secret of bench.product().secrets) expect(message).not.toContain(secret);
  });
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Ages are told by the store's clock, which is this machine's too: so this process is given another one. */
export function declareClock({ open }: Bench<RunningProduct>): void {
  test.each([DAY_MS, -DAY_MS])(
    "where this machine's clock is wrong by %d ms the store's is told all the same",
    async (wrongMs) => {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + wrongMs });
      onTestFinished(() => void vi.useRealTimers());
      const answers = await askEverything(await open(`clock-${wrongMs < 0 ? "behind" : "ahead"}`));
      const trueMs = performance.timeOrigin + performance.now();
      for (const { at } of answers) expect(Math.abs(at.getTime() - trueMs)).toBeLessThan(60_000);
    },
  );
}

/** Tells in one sentence what is wrong, with the place and without a secret; twice, which must say the same. */
export async function expectRefusal(
  { product }: Bench<RunningProduct>,
  store: DocumentStore,
  expected: string | RegExp,
): Promise<void> {
  for (const action of [() => store.create(NAME, "one"), () => store.list("")]) {
    const { reason, message } = await troubleOf(action());
    expect(reason).toBe("unavailable");
    expect(message).toMatch(expected);
    expect(message).toMatch(/^the journal in [^\n]+ can't be used \([^\n]+\)$/);
    expect(message).toContain(store.place);
    for (const secret of product().secrets) expect(message).not.toContain(secret);
  }
}

/** An answer as it stands on the wire. */
export function httpAnswer(status: string, body = "", headers: readonly string[] = []): string {
  return [
    `HTTP/1.1 ${status}`,
    `Date: ${new Date().toUTCString()}`,
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}

/** How a product speaks by HTTP. */
export interface Speech {
  /** What it says that does not do what it is asked. */
  refusal(status: string, code: string): string;
  /** A page of a listing with nothing on it. */
  emptyList: string;
  /** What it is asked by, in this order: to make, to replace, to read, to list and to remove. */
  methods: readonly string[];
}

/** What goes wrong with a product that speaks HTTP. */
export function declareHttpTrouble(
  bench: Bench<RunningProduct>,
  { refusal, emptyList, methods }: Speech,
): void {
  test("each question is one request, unless something goes wrong", async () => {
    const { store, meddler } = await beginScene(bench);
    meddler.takeRequests();
    const first = done(await store.create(NAME, "one"));
    const second = done(await store.replace(NAME, first, "two"));
    expect(await textOf(store, NAME)).toBe("two");
    expect((await store.list("")).value).toEqual([NAME]);
    expect((await store.remove(NAME, second)).value).toBe(true);
    expect(meddler.takeRequests().map(({ method }) => method)).toEqual(methods);
  });

  test("a write that somebody on the way repeats is refused by its own success, and known for its own", async () => {
    const { store, other, meddler } = await beginScene(bench);
    meddler.takeRequests();
    meddler.repeatNextRequest();
    const first = done(await store.create(NAME, "one"));
    // It was refused, and read back.
    expect(meddler.takeRequests()).toHaveLength(2);
    meddler.repeatNextRequest();
    const second = done(await store.replace(NAME, first, "two"));
    expect(meddler.takeRequests()).toHaveLength(2);
    expect((await other.read(NAME)).value).toMatchObject({ text: "two", version: second });
    meddler.repeatNextRequest();
    expect((await store.remove(NAME, second)).value).toBe(true);
  });

  test("who has no right is told so at once", async () => {
    const { store, meddler } = await beginScene(bench);
    meddler.answerWith(refusal("403 Forbidden", "AccessDenied"), 1);
    const { reason, message } = await troubleOf(store.create(NAME, "one"));
    expect(reason).toBe("unavailable");
    expect(message).toMatch(/AccessDenied.*\(HTTP 403\)\)$/);
    // Nothing was asked a second time.
    expect(await textOf(store, NAME)).toBeUndefined();
  });

  test.each(["500 Internal Server Error", "503 Slow Down"])(
    "%s for good is unavailable",
    async (status) => {
      const { store, meddler } = await beginScene(bench);
      meddler.answerWith(refusal(status, "InternalError"));
      const { reason, message } = await troubleOf(store.create(NAME, "one"));
      expect(reason).toBe("unavailable");
      expect(message).toContain(`(HTTP ${status.slice(0, 3)})`);
    },
  );

  test("500 once is asked again, and done once", async () => {
    const { store, meddler } = await beginScene(bench);
    meddler.answerWith(refusal("500 Internal Server Error", "InternalError"), 1);
    expect(done(await store.create(NAME, "one")).revision).toBe(1);
  });

  test.each(["409 Conflict", "429 Too Many Requests"])(
    "%s is asked again until it is over",
    async (status) => {
      const { store, meddler } = await beginScene(bench);
      meddler.answerWith(refusal(status, "ConditionalRequestConflict"), 4);
      expect(done(await store.create(NAME, "one")).revision).toBe(1);
    },
  );

  test("409 for good is unavailable at the deadline", async () => {
    const { store, meddler } = await beginScene(bench, 600);
    meddler.answerWith(refusal("409 Conflict", "ConditionalRequestConflict"));
    const { reason, message } = await troubleOf(store.create(NAME, "one"));
    expect(reason).toBe("unavailable");
    expect(message).toContain("given up after 0.6 s");
  });

  test.each([
    ["text/html", "<!doctype html>\n<title>Who are you?</title>\n"],
    ["application/json", '{"kind":"login"}'],
    ["application/xml", "<Login><Name>journal</Name></Login>"],
  ])(
    "what somebody on the way answers in its place, by %s, is none: a listing would hide what was bought",
    async (type, body) => {
      const { store, meddler } = await beginScene(bench);
      meddler.answerWith(httpAnswer("200 OK", body, [`Content-Type: ${type}`]));
      for (const action of [
        () => store.create(NAME, "one"),
        () => store.read(NAME),
        () => store.list(""),
      ]) {
        const { reason, message } = await troubleOf(action());
        expect(reason).toBe("unavailable");
        expect(message).toMatch(/^the journal in [^\n]+ can't be used \([^\n]{1,410}\)$/);
      }
    },
  );

  test("the time is what the answer says, and an answer without one is none", async () => {
    const { store, meddler } = await beginScene(bench);
    const date = /^Date: .*$/m;
    meddler.answerWith(emptyList.replace(date, "Date: Thu, 01 Jan 2026 00:00:00 GMT"), 1);
    expect((await store.list("")).at).toEqual(new Date("2026-01-01T00:00:00Z"));
    meddler.answerWith(emptyList.replace(date, "X-None: none"), 1);
    expect((await troubleOf(store.list(""))).message).toContain("tells no time");
  });
}
