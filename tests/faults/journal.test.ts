import { readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { type CoreScene, createCoreScene, onlyOrder } from "./core-scene.ts";
import { expectInvariants } from "./invariants.ts";
import { findNewest } from "./journal-files.ts";

/** Expects that nothing is sent while nothing can be written down, and that one order is bought after `repair`. */
async function expectStoppedUntil(scene: CoreScene, repair: () => Promise<unknown>): Promise<void> {
  const { failed, text } = await scene.up();
  expect(failed).toBe(true);
  expect(text).toContain("JOURNAL_UNAVAILABLE");
  expect(text).toContain("Mend that, or correct its name");
  expect(scene.simulator.requestCounts().createOrder).toBe(0);
  await repair();
  await expectInvariants(scene, { charges: [], again: ["7.00"] });
}

const mayMount = process.getuid?.() === 0 && process.platform === "linux";

/** Mounts a disk with room for one page. */
async function mountTinyDisk(): Promise<string> {
  const folder = await makeTemporaryFolder();
  await execa("mount", ["-t", "tmpfs", "-o", "size=4k", "tmpfs", folder]);
  onTestFinished(async () => void (await execa("umount", [folder])));
  return folder;
}

describe("29: the journal can't be written: the run stops before the POST", () => {
  it("29 A: its folder can't be created", async () => {
    const file = join(await makeTemporaryFolder(), "file");
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
  const [preview = ""] = await findNewest(scene.journalDir, /\/previews\.json@$/);
  const text = await readFile(preview, "utf8");
  await truncate(preview, 20);
  await expectStoppedUntil(scene, () => writeFile(preview, text));
});

describe("29: a journal document is torn", () => {
  /** Nothing is bought, and the document is named, until a person has put it right. */
  async function expectNamed(scene: CoreScene, name: RegExp): Promise<() => Promise<void>> {
    const [document = ""] = await findNewest(scene.journalDir, name);
    const text = await readFile(document, "utf8");
    await truncate(document, 20);
    const { text: said } = await scene.preview();
    expect(said).toContain(basename(dirname(document)).replace("@", ""));
    await expectInvariants(scene, {
      ...{ charges: ["7.00"], again: "stopped" },
      journalTellsLess: true,
    });
    return () => writeFile(document, text);
  }

  it("29 D: the document of the account: the run stops and names it; after a repair the order is recovered", async () => {
    const scene = await createCoreScene();
    await scene.up();
    scene.forget();
    const repair = await expectNamed(scene, /\/account\.json@$/);
    await repair();
    const { checked } = await scene.preview();
    expect(checked.get("fleet")?.quote).toMatchObject({ effect: "recover", price: 0 });
    await expectInvariants(scene, { charges: ["7.00"] });
  });

  it("29 E: a page of the purchase book: the run stops and names it; after a repair it stops nothing", async () => {
    const scene = await createCoreScene();
    await scene.up();
    await scene.preview();
    scene.rewrite({ fleet: {}, other: { country: "DEU" } });
    const repair = await expectNamed(scene, /\/book\/[^/]+@$/);
    await repair();
    await expectInvariants(scene, { charges: ["7.00"], again: ["7.35"] });
  });

  it("29 F: the only record of a purchase, then moved away: the account shows an unknown order, and nothing is bought", async () => {
    const scene = await createCoreScene();
    await scene.up();
    scene.forget();
    await expectNamed(scene, /\/book\/[^/]+@$/);
    for (const name of [/\/account\.json@$/, /\/book\/[^/]+@$/]) {
      const [document = ""] = await findNewest(scene.journalDir, name);
      await rm(dirname(document), { recursive: true });
    }
    const { orderNumber } = onlyOrder(scene.simulator);
    expect((await scene.up()).text).toContain(`adoptOrderNumber: "${orderNumber}"`);
    scene.rewrite({ fleet: { adoptOrderNumber: orderNumber } });
    await expectInvariants(scene, { charges: ["7.00"], journalTellsLess: true });
  });
});

it("29 G: the journal is lost after the charge: the paid order is kept, with a warning", async () => {
  const scene = await createCoreScene();
  const breakJournal = async () => {
    const [document = ""] = await findNewest(scene.journalDir, /\/account\.json@$/);
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
