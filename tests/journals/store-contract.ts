import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type {
  DocumentStore,
  DocumentVersion,
  Told,
} from "../../provider/core/journal/document-store.ts";
import { probeStore } from "../../provider/core/journal/probe-store.ts";
import { machineTime } from "../../provider/journals/machine-time.ts";
import { skipByName } from "../support/skip-by-name.ts";
import { openStore } from "./open-store.ts";
import {
  type Entry,
  Missing,
  type Product,
  type RunningProduct,
} from "./stores/products/product.ts";

/** Tests of one product, which is begun before and ended after them. */
export interface Bench<Running extends RunningProduct> {
  product(): Running;
  /** Opens a journal, which is closed after the test; the same name is the same journal. */
  open(journal: string, options?: OpenOptions): Promise<DocumentStore>;
  /** Opens what a user says so; it is closed after the test. */
  openAs(entry: Entry, options?: Pick<OpenOptions, "deadlineMs">): Promise<DocumentStore>;
}

export interface OpenOptions {
  /** Of somebody who stands between. */
  port?: number;
  deadlineMs?: number;
}

/** A product, and what it is while it runs. */
type Begun<Running extends RunningProduct> = Omit<Product, "begin"> & { begin(): Promise<Running> };

/** Begins a product; where this machine does not have it, it is skipped by its name. */
export async function beginProduct<Running extends RunningProduct>({
  name,
  begin,
}: Begun<Running>): Promise<Running | undefined> {
  try {
    return await begin();
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    skipByName(name, error.message);
    return;
  }
}

/** Describes a product by its name, if this machine has it. */
export async function describeProduct<Running extends RunningProduct>(
  product: Begun<Running>,
  declare: (bench: Bench<Running>) => void,
): Promise<void> {
  const begun = await beginProduct(product);
  if (begun === undefined) return;
  const openAs: Bench<Running>["openAs"] = async ({ url, environment }, options) => {
    vi.unstubAllEnvs();
    for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
    const store = await openStore(url, machineTime, options);
    onTestFinished(() => store.close());
    return store;
  };
  describe(product.name, () => {
    afterAll(async () => {
      vi.unstubAllEnvs();
      await begun.end();
    });
    declare({
      product: () => begun,
      open: (journal, { port, ...options } = {}) => openAs(begun.enter(journal, port), options),
      openAs,
    });
  });
}

/** What the write has left; throws where it was refused. */
export function done({ value }: { value: DocumentVersion | undefined }): DocumentVersion {
  if (value === undefined) throw new Error("it was refused");
  return value;
}

export async function textOf(store: DocumentStore, name: string): Promise<string | undefined> {
  return (await store.read(name)).value?.text;
}

/** Every kind of answer that a new journal gives. */
export async function askEverything(store: DocumentStore): Promise<Told<unknown>[]> {
  const name = "a.json";
  const made = await store.create(name, "1");
  return [
    ...[made, await store.create(name, "2"), await store.replace(name, done(made), "3")],
    ...[await store.replace(name, done(made), "4"), await store.read(name)],
    ...[await store.read("none.json"), await store.remove(name, done(made))],
    ...[await store.list(""), await store.list("none/")],
  ];
}

/** What every store promises, whatever keeps it. */
export function declareContract({ product, open }: Bench<RunningProduct>): void {
  test("a document comes back as it was written", async () => {
    const store = await open("written");
    expect(await textOf(store, "a/b/c.json")).toBeUndefined();
    for (const [index, text] of ["", "{}\n", "ü\r\n𝒳\t", "x".repeat(200_000)].entries()) {
      done(await store.create(`a/b/${index}.json`, text));
      expect(await textOf(store, `a/b/${index}.json`)).toBe(text);
    }
  });

  test("one is made where there is none, replaced and removed by whoever knows its newest version", async () => {
    const store = await open("versions");
    const name = "a.json";
    const first = done(await store.create(name, "A"));
    expect((await store.create(name, "B")).value).toBeUndefined();
    const second = done(await store.replace(name, first, "B"));
    expect((await store.replace(name, first, "C")).value).toBeUndefined();
    // The same text again, as an ETag that is a hash would have it, is another version.
    const third = done(await store.replace(name, second, "A"));
    expect((await store.replace(name, first, "C")).value).toBeUndefined();
    expect((await store.remove(name, first)).value).toBe(false);
    expect((await store.read(name)).value).toEqual({ text: "A", version: third });
    expect([first, second, third].map(({ revision }) => revision)).toEqual([1, 2, 3]);
    expect((await store.remove(name, third)).value).toBe(true);
    expect((await store.remove(name, third)).value).toBe(false);
    expect((await store.replace(name, third, "C")).value).toBeUndefined();
    expect(await textOf(store, name)).toBeUndefined();
    const again = done(await store.create(name, "A"));
    expect((await store.replace(name, first, "C")).value).toBeUndefined();
    done(await store.replace(name, again, "C"));
  });

  test("what is there is listed by its name, and what was removed is not", async () => {
    const store = await open("listed");
    const names = ["a.json", "open/1.json", "open/2.json", "open/deep/3.json", "openly.json"];
    for (const name of names) done(await store.create(name, "x"));
    const gone = done(await store.create("open/0.json", "x"));
    await store.remove("open/0.json", gone);
    expect((await store.list("")).value).toEqual(names);
    expect((await store.list("open/")).value).toEqual(names.slice(1, 4));
    expect((await store.list("open/deep/3")).value).toEqual(["open/deep/3.json"]);
    expect((await store.list("none/")).value).toEqual([]);
    expect((await (await open("listed-elsewhere")).list("")).value).toEqual([]);
  });

  test("of those who make, replace or remove one at once, one is told that it has", async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => open("raced")));
    const names = Array.from({ length: 3 }, (_, index) => `${index}.json`);
    const race = async <Value>(act: (store: DocumentStore) => Promise<{ value: Value }>) => {
      const answers = await Promise.all([...stores, ...stores].map(act));
      const won = answers.map(({ value }) => value).filter((value) => value);
      expect(won).toHaveLength(1);
      return won[0];
    };
    for (const name of names) {
      const first = await race((store) => store.create(name, "made"));
      const second = first && (await race((store) => store.replace(name, first, "replaced")));
      await race(async (store) => (second ? store.remove(name, second) : { value: false }));
    }
  });

  test("nothing is lost of what many write to one document", async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => open("shared")));
    const [store] = stores;
    done((await store?.create("sum.json", "0")) ?? { value: undefined });
    const add = async (own: DocumentStore) => {
      for (let left = 5; left > 0; ) {
        const { value } = await own.read("sum.json");
        if (value === undefined) throw new Error("it is gone");
        const next = `${Number(value.text) + 1}`;
        if ((await own.replace("sum.json", value.version, next)).value !== undefined) left--;
      }
    };
    await Promise.all(stores.map(add));
    expect((await store?.read("sum.json"))?.value).toMatchObject({
      ...{ text: "20", version: { revision: 21 } },
    });
  });

  test("every answer tells the store's clock", async () => {
    const answers = await askEverything(await open("clock"));
    for (const { at } of answers) expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000);
  });

  test("the probe finds it fit, and leaves nothing there", async () => {
    const store = await open("probed");
    const { isFit, findings, leftBehind } = await probeStore(store, machineTime, { id: "p" });
    expect(findings.filter(({ trouble }) => trouble !== undefined)).toEqual([]);
    expect({ isFit, leftBehind }).toEqual({ isFit: true, leftBehind: [] });
    // Not even the mark of a removed one.
    done(await store.create("probe/p/removed.json", "x"));
    expect((await store.read("probe/p/removed.json")).value?.version.nonces).toHaveLength(1);
  });

  test("where it is can be printed", async () => {
    const { place } = await open("printed");
    expect(place).toContain("printed");
    for (const secret of product().secrets) expect(place).not.toContain(secret);
  });
}
