import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPhaseMarker, writePhaseMarker } from "../../../provider/host/run/phase-marker.ts";
import { makeFolder } from "../../journals/file/folders.ts";

const engine = { host: "127.0.0.1", port: 4000, text: "127.0.0.1:4000" };
const other = { host: "127.0.0.1", port: 4001, text: "127.0.0.1:4001" };
const now = new Date("2026-03-01T12:00:00Z");
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

async function freshFolder(): Promise<string> {
  return join(await makeFolder(), "markers");
}

test("only the program's own providers read its phase", async () => {
  const folder = await freshFolder();
  writePhaseMarker(engine, "preview", now, folder);
  writePhaseMarker(other, "update", now, folder);
  expect(readPhaseMarker(engine, now, folder)).toBe("preview");
  expect(readPhaseMarker(other, now, folder)).toBe("update");
  expect(readPhaseMarker({ ...engine, text: "127.0.0.1:4002" }, now, folder)).toBeUndefined();
});

test("a later run on the same port overwrites the phase", async () => {
  const folder = await freshFolder();
  writePhaseMarker(engine, "preview", now, folder);
  writePhaseMarker(engine, "update", minutes(5), folder);
  expect(readPhaseMarker(engine, minutes(5), folder)).toBe("update");
  expect(await readdir(folder)).toHaveLength(1);
});

test("only this user can read the folder, and it holds nothing of the account", async () => {
  const folder = await freshFolder();
  const file = writePhaseMarker(engine, "update", now, folder);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(String(file))).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(String(file), "utf8"))).toEqual({
    phase: "update",
    at: now.toISOString(),
  });
});

test("a folder that others can write to is not believed, and not written to", async () => {
  const folder = await freshFolder();
  const file = writePhaseMarker(engine, "preview", now, folder);
  await chmod(folder, 0o777);
  expect(readPhaseMarker(engine, now, folder)).toBeUndefined();
  await rm(String(file));
  expect(writePhaseMarker(engine, "preview", now, folder)).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

test("a link is not believed, as a folder or as a marker", async () => {
  const real = await freshFolder();
  const folder = await freshFolder();
  const file = String(writePhaseMarker(engine, "preview", now, real));
  await symlink(real, folder);
  expect(readPhaseMarker(engine, now, folder)).toBeUndefined();
  expect(writePhaseMarker(other, "preview", now, folder)).toBeUndefined();

  await writeFile(join(real, "elsewhere"), await readFile(file, "utf8"));
  await rm(file);
  await symlink(join(real, "elsewhere"), file);
  expect(readPhaseMarker(engine, now, real)).toBeUndefined();
});

test("a marker older than a day is ignored, and removed", async () => {
  const folder = await freshFolder();
  const file = String(writePhaseMarker(engine, "preview", now, folder));
  expect(readPhaseMarker(engine, minutes(24 * 60 - 1), folder)).toBe("preview");
  expect(readPhaseMarker(engine, minutes(24 * 60), folder)).toBeUndefined();
  await utimes(file, now, now);
  await writeFile(join(folder, "notes-of-somebody"), "");
  writePhaseMarker(other, "update", minutes(24 * 60), folder);
  expect((await readdir(folder)).sort()).toEqual([
    "notes-of-somebody",
    "phase-127.0.0.1-4001.json",
  ]);
});

test.each(["", "{", "null", '{"phase":"preview"}', '{"phase":"both","at":"2026-03-01T12:00:00Z"}'])(
  "a file with %j is ignored",
  async (text) => {
    const folder = await freshFolder();
    await writeFile(String(writePhaseMarker(engine, "preview", now, folder)), text);
    expect(readPhaseMarker(engine, now, folder)).toBeUndefined();
  },
);

test("if nothing can be written, there is no marker, and no program fails", async () => {
  const folder = await freshFolder();
  await writeFile(folder, "a file in the place of the folder");
  expect(writePhaseMarker(engine, "preview", now, folder)).toBeUndefined();
  expect(readPhaseMarker(engine, now, folder)).toBeUndefined();
});

test("a folder in the marker's place is ignored", async () => {
  const folder = await freshFolder();
  const file = String(writePhaseMarker(engine, "preview", now, folder));
  await rm(file);
  await mkdir(file);
  expect(readPhaseMarker(engine, now, folder)).toBeUndefined();
});
