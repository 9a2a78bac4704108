import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { changeIntent } from "../../../provider/core/records/intent.ts";
import { createFileStore } from "../../../provider/journals/file/file-store.ts";
import { extensionIntent, orderIntent } from "../../core/records/intents.ts";
import { filesIn, makeFolder, makeStoreFolder, troubleOf } from "./folders.ts";

const now = new Date("2026-03-01T12:00:05Z");
const sending = orderIntent();
const { id } = sending;
const accepted = changeIntent(sending, { phase: "placed", orderNumber: "8000" }, now);
const returned = changeIntent(accepted, { phase: "returned", orderIds: ["8000"] }, now);
const confirmed = changeIntent(returned, { phase: "confirmed" }, now);

describe("a store", () => {
  test("is empty before anything is bought, and makes no folder to say so", async () => {
    const folder = join(makeFolder(), "never", "made");
    const store = createFileStore(folder);
    expect(await store.readOpen()).toEqual([]);
    expect(await store.readDone()).toEqual([]);
    expect(() => statSync(folder)).toThrow("ENOENT");
  });

  test("gives back every intent as it was put down, whatever it is about", async () => {
    const folder = makeFolder();
    const extension = {
      ...extensionIntent([{ ipAddressId: "ip-1", address: "a 1" }]),
      id: "ext-1",
    };
    const store = createFileStore(folder);
    expect(await store.create(sending)).toBe(true);
    expect(await store.create(extension)).toBe(true);
    const read = await createFileStore(folder).readOpen();
    expect(read.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([sending, extension]);
    expect(await store.readDone()).toEqual([]);
  });

  test("takes an id once, while it is open, after it was changed and when it is done", async () => {
    const folder = makeFolder();
    const store = createFileStore(folder);
    await store.create(sending);
    expect(await store.create(sending)).toBe(false);
    await store.replace(accepted);
    expect(await createFileStore(folder).create(sending)).toBe(false);
    await store.replace(returned);
    await store.replace(confirmed);
    expect(await createFileStore(folder).create(sending)).toBe(false);
    expect(await store.readDone()).toEqual([confirmed]);
  });

  test("keeps the newest revision of each, and moves what is done out of the way", async () => {
    const folder = makeFolder();
    const store = createFileStore(folder);
    await store.create(sending);
    await store.replace(accepted);
    expect(await store.readOpen()).toEqual([accepted]);
    expect(filesIn(folder)).toEqual([`open/${id}.2.json`]);
    await store.replace(changeIntent(accepted, { phase: "closed", closedBecause: "expired" }, now));
    expect(await store.readOpen()).toEqual([]);
    expect(filesIn(folder)).toEqual([`done/${id}.json`]);
  });

  test("forgets an intent that came to nothing, and takes its id anew with what it then says", async () => {
    const folder = makeFolder();
    const [store, other] = [createFileStore(folder), createFileStore(folder)];
    await store.create(sending);
    expect(await other.readOpen()).toEqual([sending]);
    await store.remove(sending);
    expect(await other.readOpen()).toEqual([]);
    const later = { ...sending, price: 8, runId: "run-2" };
    expect(await store.create(later)).toBe(true);
    expect(await other.readOpen()).toEqual([later]);
  });

  test("writes documents that a person can read and nobody else may", async () => {
    const folder = join(makeFolder(), "journals", "service");
    await createFileStore(folder).create(sending);
    const path = join(folder, "open", `${id}.1.json`);
    const text = readFileSync(path, "utf8");
    expect(JSON.parse(text)).toEqual(sending);
    expect(text).toMatch(/^\{\n {2}"version": 2,\n/);
    expect(text.endsWith("}\n")).toBe(true);
    const modes = [path, join(folder, "open"), folder].map((one) => statSync(one).mode & 0o777);
    expect(modes).toEqual([0o600, 0o700, 0o700]);
  });
});

describe("of two processes that change one intent", () => {
  test("the one that comes second is told, and nothing of the first is lost", async () => {
    const folder = makeFolder();
    const [mine, theirs] = [createFileStore(folder), createFileStore(folder)];
    await mine.create(sending);
    await theirs.replace(accepted);
    const rival = changeIntent(sending, { phase: "unknown" }, now);
    const { reason, message } = await troubleOf(mine.replace(rival));
    expect(reason).toBe("conflict");
    expect(message).toContain(id);
    expect(await mine.readOpen()).toEqual([accepted]);
  });

  test("one wins where both write at the same time, and it is the one that was told so", async () => {
    for (let round = 0; round < 20; round++) {
      const folder = makeFolder();
      const stores = [createFileStore(folder), createFileStore(folder)];
      await stores[0]?.create(sending);
      const changed = ["a", "b"].map((remark) => changeIntent(sending, { remark }, now));
      const results = await Promise.allSettled(
        stores.map((store, index) => store.replace(changed[index] ?? sending)),
      );
      const winners = changed.filter((_, index) => results[index]?.status === "fulfilled");
      expect(winners).toHaveLength(1);
      expect(await createFileStore(folder).readOpen()).toEqual(winners);
    }
  });

  test("the one that skips a revision is told", async () => {
    const store = createFileStore(makeFolder());
    await store.create(sending);
    expect((await troubleOf(store.replace(returned))).reason).toBe("conflict");
    expect(await store.readOpen()).toEqual([sending]);
  });

  test("the one that comes after the end is told, and nothing comes back to life", async () => {
    const folder = makeFolder();
    const [mine, theirs] = [createFileStore(folder), createFileStore(folder)];
    await mine.create(sending);
    await theirs.replace(changeIntent(sending, { phase: "closed" }, now));
    expect((await troubleOf(mine.replace(accepted))).reason).toBe("conflict");
    expect(await mine.readOpen()).toEqual([]);
    expect(filesIn(folder)).toEqual([`done/${id}.json`]);
  });

  test("the one that finds it discarded is told, and nothing comes back to life", async () => {
    const store = createFileStore(makeFolder());
    await store.create(sending);
    await store.remove(sending);
    expect((await troubleOf(store.replace(accepted))).reason).toBe("conflict");
    expect(await store.readOpen()).toEqual([]);
  });
});

/** What a machine that went down may have left, and what is read then. */
function leave(folder: string, files: Record<string, unknown>): void {
  for (const [path, content] of Object.entries(files)) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(join(folder, path), text);
  }
}

const half = JSON.stringify(accepted).slice(0, 200);

describe("a newest revision that was torn", () => {
  test.each([
    ["half written", half],
    ["empty", ""],
    ["full of zeros", "\0".repeat(300)],
  ])(
    "because it is %s, falls back to the one before, which can be carried on",
    async (_how, torn) => {
      const folder = makeStoreFolder();
      leave(folder, { [`open/${id}.1.json`]: sending, [`open/${id}.2.json`]: torn });
      const store = createFileStore(folder);
      const [read] = await store.readOpen();
      expect(read).toMatchObject({ id, phase: "sending", sentAt: sending.sentAt });
      if (read === undefined) return;
      await store.replace(changeIntent(read, { phase: "placed", orderNumber: "8000" }, now));
      expect(await createFileStore(folder).readOpen()).toMatchObject([
        { phase: "placed", orderNumber: "8000" },
      ]);
      await store.replace(
        changeIntent((await store.readOpen())[0] ?? read, { phase: "closed" }, now),
      );
      expect(await createFileStore(folder).readOpen()).toEqual([]);
      expect(filesIn(folder)).toEqual([`done/${id}.json`]);
    },
  );

  test.each([
    ["half written", half],
    ["empty", ""],
    ["from a later release", JSON.stringify({ ...sending, version: 3 })],
    ["of an unknown phase", JSON.stringify({ ...sending, phase: "refunded" })],
  ])("and is the only one, stops everything and names the file: %s", async (_how, torn) => {
    const folder = makeStoreFolder();
    leave(folder, { [`open/${id}.2.json`]: torn });
    const { reason, message } = await troubleOf(createFileStore(folder).readOpen());
    expect(reason).toBe("unreadable");
    expect(message).toContain(join(folder, "open", id));
  });

  test("stops everything as well where the one before is torn too", async () => {
    const folder = makeStoreFolder();
    leave(folder, { [`open/${id}.1.json`]: "", [`open/${id}.2.json`]: half });
    expect((await troubleOf(createFileStore(folder).readOpen())).reason).toBe("unreadable");
  });

  test("does not hide the other purchases' trouble behind its own", async () => {
    const folder = makeStoreFolder();
    const other = { ...sending, id: "other-1" };
    leave(folder, { [`open/${id}.1.json`]: half, "open/other-1.1.json": other });
    expect((await troubleOf(createFileStore(folder).readOpen())).message).toContain(id);
  });
});

test("a newest revision of a later release is not torn, so nothing falls back from it", async () => {
  const folder = makeStoreFolder();
  const later = { ...accepted, version: 3 };
  leave(folder, { [`open/${id}.1.json`]: sending, [`open/${id}.2.json`]: later });
  expect((await troubleOf(createFileStore(folder).readOpen())).reason).toBe("unreadable");
});

test.each([
  ["from a later release", JSON.stringify({ ...sending, version: 3 })],
  ["of an unknown phase", JSON.stringify({ ...sending, phase: "refunded" })],
])(
  "a done document that is whole and can't be understood stops everything: %s",
  async (_how, text) => {
    const folder = makeStoreFolder();
    leave(folder, { [`done/${id}.json`]: text });
    const { reason, message } = await troubleOf(createFileStore(folder).readDone());
    expect(reason).toBe("unreadable");
    expect(message).toContain(join(folder, "done", id));
  },
);

describe("what a killed process leaves", () => {
  test("as a draft is no document", async () => {
    const folder = makeStoreFolder();
    leave(folder, { [`open/${id}.b5d1.tmp`]: sending, [`open/${id}.1.json`]: sending });
    const store = createFileStore(folder);
    expect(await store.readOpen()).toEqual([sending]);
    await store.replace(accepted);
    expect(await store.readOpen()).toEqual([accepted]);
  });

  test("as a draft alone does not take the id", async () => {
    const folder = makeStoreFolder();
    leave(folder, { [`open/${id}.b5d1.tmp`]: half });
    const store = createFileStore(folder);
    expect(await store.readOpen()).toEqual([]);
    expect(await store.create(sending)).toBe(true);
  });

  test("as two revisions is the newer one, and the older never comes back", async () => {
    const folder = makeStoreFolder();
    leave(folder, { [`open/${id}.1.json`]: sending, [`open/${id}.2.json`]: accepted });
    const store = createFileStore(folder);
    expect(await store.readOpen()).toEqual([accepted]);
    await store.replace(returned);
    expect(filesIn(folder)).toEqual([`open/${id}.3.json`]);
  });

  test("as a done document that is still open is put away", async () => {
    const folder = makeStoreFolder();
    leave(folder, { [`open/${id}.4.json`]: confirmed });
    expect(await createFileStore(folder).readOpen()).toEqual([]);
    expect(filesIn(folder)).toEqual([`done/${id}.json`]);
    expect(await createFileStore(folder).readDone()).toEqual([confirmed]);
  });

  test("as a done document beside its older revision is put away, and the older never comes back", async () => {
    const folder = makeStoreFolder();
    leave(folder, {
      [`open/${id}.2.json`]: accepted,
      [`open/${id}.3.json`]: returned,
      [`open/${id}.4.json`]: confirmed,
    });
    for (const _run of [1, 2]) expect(await createFileStore(folder).readOpen()).toEqual([]);
    expect(filesIn(folder)).toEqual([`done/${id}.json`]);
  });

  test("as a torn done document stands in nobody's way", async () => {
    const folder = makeStoreFolder();
    leave(folder, { "done/torn-1.json": half, [`done/${id}.json`]: confirmed, "done/x.tmp": "" });
    expect(await createFileStore(folder).readDone()).toEqual([confirmed]);
  });

  test("as foreign files is nobody's purchase", async () => {
    const folder = makeStoreFolder();
    leave(folder, { "open/notes.json": "{}", "open/.DS_Store": "", "done/readme.txt": "" });
    expect(await createFileStore(folder).readOpen()).toEqual([]);
  });
});

describe("a folder that can't be used", () => {
  test("below a regular file is told, by path", async () => {
    const file = join(makeFolder(), "file");
    writeFileSync(file, "");
    const store = createFileStore(join(file, "journal"));
    const uses = [() => store.create(sending), () => store.readOpen(), () => store.readDone()];
    for (const use of uses) {
      const { reason, message } = await troubleOf(use());
      expect(reason).toBe("unavailable");
      expect(message).toContain(join(file, "journal"));
    }
  });

  test("because a link leads nowhere is told", async () => {
    const folder = makeFolder();
    symlinkSync(join(folder, "nowhere", "deep"), join(folder, "open"));
    const { reason } = await troubleOf(createFileStore(folder).create(sending));
    expect(reason).toBe("unavailable");
  });

  test("because its document is a folder is told", async () => {
    const folder = makeStoreFolder();
    mkdirSync(join(folder, "open", `${id}.1.json`));
    expect((await troubleOf(createFileStore(folder).readOpen())).reason).toBe("unreadable");
  });
});
