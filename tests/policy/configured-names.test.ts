import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { readConfiguredNames } from "../../policy/configured-names.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

let folder: string;

beforeEach(async () => {
  folder = await realpath(await makeTemporaryFolder());
  await mkdir(join(folder, "pack"));
  await mkdir(join(folder, "other"));
  await symlink(join(folder, "pack"), join(folder, "link"));
  await writeFile(
    join(folder, "limits.json"),
    '{ "all": "advisory", "max-order-prise": { "max": 1 } }',
  );
  await writeFile(join(folder, "others.json"), '{ "somebody-elses": {} }');
  await writeFile(join(folder, "broken.json"), "{");
});

const limits = ["--policy-pack-config", "limits.json"];

describe("the names in the config file of the pack are found", () => {
  test.each([
    ["in two words", ["preview", "--policy-pack", "pack", ...limits]],
    ["in one word each", ["up", "--policy-pack=pack", "--policy-pack-config=limits.json"]],
    ["through a link", ["up", "--policy-pack", "./link", ...limits]],
    [
      "beside another pack, which has a config of its own",
      [
        "up",
        "--policy-pack",
        "other",
        "--policy-pack-config",
        "others.json",
        "--policy-pack=pack",
        ...limits,
      ],
    ],
  ])("%s", (_how, words) => {
    const names = readConfiguredNames(join(folder, "pack"), () => ({ words, cwd: folder }));
    expect(names).toEqual(["all", "max-order-prise"]);
  });
});

describe("no names are found", () => {
  test.each([
    ["without a config", ["up", "--policy-pack", "pack"]],
    ["if the pack is another one", ["up", "--policy-pack", "other", ...limits]],
    [
      "if the file can't be read",
      ["up", "--policy-pack=pack", "--policy-pack-config", "none.json"],
    ],
    ["if the file is no JSON", ["up", "--policy-pack=pack", "--policy-pack-config", "broken.json"]],
  ])("%s", (_why, words) => {
    const names = readConfiguredNames(join(folder, "pack"), () => ({ words, cwd: folder }));
    expect(names).toEqual([]);
  });

  test("if the command can't be seen", () => {
    expect(readConfiguredNames(join(folder, "pack"), () => undefined)).toEqual([]);
    const refuse = () => {
      throw new Error("no /proc here");
    };
    expect(readConfiguredNames(join(folder, "pack"), refuse)).toEqual([]);
  });
});
