import { copyFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CoreScene, createCoreScene, createFolder, onlyOrder } from "./core-scene.ts";
import { expectInvariants } from "./invariants.ts";
import { findDocuments, findFiles } from "./journal-files.ts";

/** Expects that nothing is sent while nothing can be written down, and that one order is bought after `repair`. */
async function expectStoppedUntil(scene: CoreScene, repair: () => Promise<unknown>): Promise<void> {
  const { failed, text } = await scene.up();
  expect(failed).toBe(true);
  expect(text).toContain("JOURNAL_UNAVAILABLE");
  expect(text).toContain("This purchase was not sent");
  expect(scene.simulator.requestCounts().createOrder).toBe(0);
  await repair();
  await expectInvariants(scene, { charges: [], again: ["7.00"] });
}

const mayMount = process.getuid?.() === 0 && process.platform === "linux";

/** Mounts a disk with room for one page. */
async function mountTinyDisk(): Promise<string> {
  const folder = await createFolder();
  await execa("mount", ["-t", "tmpfs", "-o", "size=4k", "tmpfs", folder]);
  onTestFinished(async () => void (await execa("umount", [folder])));
  return folder;
}

describe("29: the journal can't be written: the run stops before the POST", () => {
  it("29 A: its folder can't be created", async () => {
    const file = join(await createFolder(), "file");
    await writeFile(file, "no folder");
    const scene = await createCoreScene({ journalDir: join(file, "journal") });
    await expectStoppedUntil(scene, () => rm(file));
  });

  it.runIf(mayMount)("29 B: the disk is full", async () => {
    const disk = await mountTinyDisk();
    const filler = join(disk, "filler");
    await writeFile(filler, "x".repeat(4096));
    const scene = await createCoreScene({ journalDir: disk });
    await expectStoppedUntil(scene, async () => {
      await rm(filler);
      await execa("mount", ["-o", "remount,size=1m", disk]);
    });
  });

  it.runIf(mayMount)("29 C: the disk is read-only", async () => {
    const disk = await mountTinyDisk();
    await execa("mount", ["-o", "remount,ro", disk]);
    const scene = await createCoreScene({ journalDir: disk });
    await expectStoppedUntil(scene, () => execa("mount", ["-o", "remount,rw,size=1m", disk]));
  });
});

it("29 H: the record of the preview can't be read: the run stops before the POST", async () => {
  const scene = await createCoreScene();
  await scene.preview();
  const [preview = ""] = await findFiles(scene.journalDir, "previews");
  // Nobody can read a link to itself. Permissions would not keep root from reading a file.
  const unreadable = join(dirname(preview), "unreadable.jsonl");
  await symlink("unreadable.jsonl", unreadable);
  await expectStoppedUntil(scene, () => rm(unreadable));
});

describe("29: a journal document is torn", () => {
  /** Runs an up that buys, and makes the engine forget everything. */
  async function buyAndForget(): Promise<{ scene: CoreScene; document: string }> {
    const scene = await createCoreScene();
    await scene.up();
    const [document = ""] = await findDocuments(scene.journalDir, "open");
    scene.forget();
    return { scene, document };
  }

  it("29 D: the last write of a purchase: recovered from the revision before", async () => {
    const { scene, document } = await buyAndForget();
    const [id, revision] = basename(document).split(".");
    const next = join(dirname(document), `${id}.${Number(revision) + 1}.json`);
    await copyFile(document, next);
    await truncate(next, 100);

    const { checked } = await scene.preview();
    expect(checked.get("fleet")?.quote).toMatchObject({ effect: "recover", price: 0 });
    await expectInvariants(scene, { charges: ["7.00"] });
  });

  it("29 E: a finished purchase: stops nothing", async () => {
    const scene = await createCoreScene();
    await scene.up();
    await scene.preview();
    const [document = ""] = await findDocuments(scene.journalDir, "done");
    await truncate(document, 20);
    scene.rewrite({ fleet: {}, other: { country: "DEU" } });
    await expectInvariants(scene, {
      ...{ charges: ["7.00"], again: ["7.35"] },
      journalTellsLess: true,
    });
  });

  it("29 F: the only record of a purchase: the run stops before the POST and names the file, until a person has looked", async () => {
    const { scene, document } = await buyAndForget();
    await truncate(document, 20);
    expect((await scene.preview()).text).toContain(dirname(document));
    const torn = { charges: ["7.00"], journalTellsLess: true } as const;
    await expectInvariants(scene, { ...torn, again: "stopped" });

    // Without the torn document nothing is bought either: the account shows an unknown order.
    await rename(document, `${document}.looked-at`);
    const { orderNumber } = onlyOrder(scene.simulator);
    expect((await scene.up()).text).toContain(`adoptOrderNumber: "${orderNumber}"`);
    scene.rewrite({ fleet: { adoptOrderNumber: orderNumber } });
    await expectInvariants(scene, torn);
  });
});

it("29 G: the journal is lost after the charge: the paid order is kept, with a warning", async () => {
  const scene = await createCoreScene();
  const breakJournal = async () => {
    const [document = ""] = await findDocuments(scene.journalDir, "open");
    await rename(dirname(document), join(scene.journalDir, "away"));
    await writeFile(dirname(document), "no folder");
  };
  scene.simulator.addFault({
    ...{ endpoint: "createOrder", phase: "after" },
    fault: { kind: "act", run: breakJournal },
  });
  const { failed, text } = await scene.up();
  expect(failed).toBe(false);
  expect(text).toContain("is not written down");
  expect(scene.kept.get("fleet")?.outputs).toMatchObject({ status: "active" });
  await expectInvariants(scene, { charges: ["7.00"], journalTellsLess: true });
});
