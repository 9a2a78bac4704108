import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { DocumentStore } from "../../../provider/core/journal/document-store.ts";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { bound } from "../../../provider/journals/bounded-store.ts";
import { createDocumentFiles } from "../../../provider/journals/file/document-files.ts";
import { machineTime } from "../../../provider/journals/machine-time.ts";
import { begin } from "./children.ts";
import { filesIn, makeFolder, troubleOf } from "./folders.ts";

function openIn(folder: string): DocumentStore {
  return openDocuments(bound(createDocumentFiles(folder, machineTime)), machineTime);
}

async function textOf(store: DocumentStore, name: string): Promise<string | undefined> {
  return (await store.read(name)).value?.text;
}

test("a document is one file that a person can read, for this user alone", async () => {
  const folder = join(makeFolder(), "journal");
  const store = openIn(folder);
  const { value: version } = await store.create("open/x-1.json", '{"phase":"sending"}\n');
  if (version === undefined) throw new Error("it was refused");
  await store.replace("open/x-1.json", version, '{"phase":"placed"}\n');
  const [file = ""] = filesIn(folder);
  expect(filesIn(folder)).toEqual([expect.stringMatching(/^open\/x-1\.json@\/2\.[\w-]+$/)]);
  for (const path of ["", "open", "open/x-1.json@", file]) {
    expect(statSync(join(folder, path)).mode & 0o077).toBe(0);
  }
});

test("a name may be the beginning of another's path", async () => {
  const store = openIn(makeFolder());
  await store.create("a/b", "deep");
  await store.create("a", "shallow");
  expect(await textOf(store, "a")).toBe("shallow");
  expect((await store.list("")).value).toEqual(["a", "a/b"]);
  expect((await store.list("a/")).value).toEqual(["a/b"]);
});

test("what is erased leaves nothing, and a store that is closed no drafts", async () => {
  const folder = makeFolder();
  const store = openIn(folder);
  await store.create("a/b/c.json", "1");
  await store.create("a/d.json", "1");
  await store.erase("a/b/c.json");
  await store.close();
  expect(filesIn(folder)).toEqual([expect.stringMatching(/^a\/d\.json@\/1\./)]);
  expect((await store.list("")).value).toEqual(["a/d.json"]);
  await store.erase("a/d.json");
  await store.erase("a/d.json");
  expect((await store.list("")).value).toEqual([]);
});

test("of processes that add to one document at the same time, each has added what it was told", async () => {
  const folder = makeFolder();
  await openIn(folder).create("shared.json", "begun");
  const children = ["a", "b", "c", "d"].map((name) =>
    begin("documents-child.ts", "add", folder, name, "40"),
  );
  const added = (await Promise.all(children.map((child) => child.allLines()))).flat();
  expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0, 0, 0]);
  const { value } = await openIn(folder).read("shared.json");
  expect(value?.text.split(" ").slice(1).toSorted()).toEqual(added.toSorted());
  expect(value?.version.revision).toBe(161);
  expect(filesIn(folder)).toEqual([expect.stringMatching(/^shared\.json@\/161\./)]);
}, 60_000);

test("of processes that make documents by the same names, one makes each at a time", async () => {
  const folder = makeFolder();
  const children = ["a", "b", "c"].map((name) =>
    begin("documents-child.ts", "claim", folder, name, "40"),
  );
  const made = (await Promise.all(children.map((child) => child.allLines()))).flat();
  // Each has removed only what it had made itself: it would have failed otherwise.
  expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0, 0]);
  expect(new Set(made).size).toBe(40);
  expect((await openIn(folder).list("")).value).toEqual([]);
}, 60_000);

test("a process that is killed at any moment leaves every document readable and every promise kept", async () => {
  const folder = makeFolder();
  const promised = new Map<string, number>();
  const killAll = async (from: number, to: number) => {
    for (let kill = from; kill <= to; kill++) {
      const child = begin("documents-child.ts", "write", folder, `k${kill}`);
      const lines: string[] = [];
      const reading = child.nextLine().then(async (line) => {
        if (line !== undefined) lines.push(line);
        lines.push(...(await child.allLines()));
      });
      while (lines.length === 0) await sleep(5);
      await sleep((kill * 7) % 40);
      child.signal("SIGKILL");
      await reading;
      for (const line of lines) {
        const [name = "", step = ""] = line.split(" ");
        promised.set(name, Number(step));
      }
    }
  };
  await Promise.all([killAll(1, 9), killAll(10, 18)]);
  const store = openIn(folder);
  const names = (await store.list("")).value;
  // Each has promised something before it was killed.
  expect(promised.size).toBeGreaterThanOrEqual(18);
  expect(names).toEqual(expect.arrayContaining([...promised.keys()]));
  for (const name of names) {
    const { value } = await store.read(name);
    expect(Number(value?.text), name).toBeGreaterThanOrEqual(promised.get(name) ?? 1);
    // Somebody else goes on from there.
    if (value) expect((await store.replace(name, value.version, "next")).value).toBeDefined();
  }
}, 120_000);

test("what the disk refuses is told with the folder and the cause, at once", async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "file"), "");
  const store = openIn(join(folder, "file"));
  const { reason, message } = await troubleOf(store.create("x.json", "1"));
  expect(reason).toBe("unavailable");
  expect(message).toContain(`the journal in file://${folder}/file can't be used (ENOTDIR`);
});

test.skipIf(process.getuid?.() === 0)("a folder that can't be written to is told so", async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, "journal"));
  chmodSync(join(folder, "journal"), 0o500);
  const { message } = await troubleOf(openIn(join(folder, "journal")).create("x.json", "1"));
  expect(message).toContain("EACCES");
});
