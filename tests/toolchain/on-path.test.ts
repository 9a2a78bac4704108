import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findCliOnPath, findExecutable, judgeCliOnPath } from "../../toolchain/on-path.ts";

test.each([
  { answer: "v3.220.0", hasLanguageHost: true, verdict: { use: true, version: "3.220.0" } },
  { answer: "v3.270.1\n", hasLanguageHost: true, verdict: { use: true, version: "3.270.1" } },
  {
    answer: "v3.68.0",
    hasLanguageHost: true,
    verdict: { use: false, reason: "pulumi 3.68.0 in /opt/bin is older than 3.220.0" },
  },
  {
    answer: "",
    hasLanguageHost: true,
    verdict: { use: false, reason: "pulumi of unknown version in /opt/bin is older than 3.220.0" },
  },
  {
    answer: "v3.220.0",
    hasLanguageHost: false,
    verdict: { use: false, reason: "pulumi in /opt/bin comes without pulumi-language-nodejs" },
  },
])("judges '$answer', language host: $hasLanguageHost", ({ answer, hasLanguageHost, verdict }) => {
  expect(judgeCliOnPath({ binDir: "/opt/bin", answer, hasLanguageHost })).toMatchObject(verdict);
});

test("judges a machine without a CLI", () => {
  expect(judgeCliOnPath(undefined)).toEqual({ use: false, reason: "no pulumi on PATH" });
});

describe("on a real folder", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "on-path-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const place = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  };

  test("skips files that are not executable, folders and empty entries", () => {
    writeFileSync(join(folder, "tool"), "");
    expect(findExecutable("tool", ["", "/does/not/exist", folder].join(delimiter))).toBeUndefined();
    place("tool", "exit 0");
    expect(findExecutable("tool", ["", folder].join(delimiter))).toBe(join(folder, "tool"));
  });

  test("asks the CLI for its version and looks for the language host beside it", async () => {
    place("pulumi", "echo v3.230.0");
    expect(await findCliOnPath(folder)).toEqual({
      binDir: folder,
      answer: "v3.230.0",
      hasLanguageHost: false,
    });
    place("pulumi-language-nodejs", "exit 0");
    expect(await findCliOnPath(folder)).toMatchObject({ hasLanguageHost: true });
  });

  test("treats a CLI that fails as one without an answer", async () => {
    place("pulumi", "echo v3.230.0; exit 1");
    expect(await findCliOnPath(folder)).toMatchObject({ answer: "" });
  });
});
