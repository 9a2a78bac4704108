import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeGo } from "../../toolchain/go-build.ts";
import {
  actionlint,
  codegen,
  findRequiredVersion,
  goPrograms,
  languageHosts,
  listBuildArguments,
  readInputs,
  readVersion,
  storeServers,
} from "../../toolchain/go-program.ts";
import { isAtLeast, minimumCli, minimumGo } from "../../toolchain/version.ts";

test.each([
  { answer: "go1.26.8", platform: "linux", obstacle: undefined },
  { answer: "go1.26", platform: "darwin", obstacle: undefined },
  { answer: "go1.25.1", platform: "linux", obstacle: "go 1.25.1 is older than 1.26.0" },
  { answer: undefined, platform: "linux", obstacle: "no go on PATH" },
  { answer: "go1.26.8", platform: "win32", obstacle: "the build does not run on Windows" },
])("says why $platform with $answer can't build: $obstacle", (row) => {
  expect(judgeGo(row.answer, row.platform)).toBe(row.obstacle);
});

test.each([
  { goMod: "require example.com/a v1.2.3\n", version: "1.2.3" },
  { goMod: "require (\n\texample.com/a v1.2.3 // indirect\n)\n", version: "1.2.3" },
  {
    goMod: "require (\n\texample.com/a/b v9.0.0\n\texample.com/a v1.2.3-rc.1\n)",
    version: "1.2.3-rc.1",
  },
])("finds the required version in $goMod", ({ goMod, version }) => {
  expect(findRequiredVersion(goMod, "example.com/a")).toBe(version);
});

test("refuses a go.mod that does not require the module", () => {
  expect(() => findRequiredVersion("module x\n", "example.com/a")).toThrow("does not require");
});

test("builds a CLI that would be accepted on PATH", () => {
  const cli = goPrograms.find((program) => program.name === "pulumi");
  expect(isAtLeast(cli === undefined ? "" : readVersion(cli), minimumCli)).toBe(true);
});

const everyProgram = [
  ...goPrograms,
  ...Object.values(languageHosts),
  ...Object.values(storeServers),
  codegen,
  actionlint,
];

test.each(everyProgram)("requires the Go version in the go.mod of $name", ({ folder }) => {
  const goMod = readFileSync(join(folder, "go.mod"), "utf8");
  expect(minimumGo).toBe(`${/^go (\S+)$/m.exec(goMod)?.[1]}.0`);
});

const stamped = [...goPrograms, ...Object.values(languageHosts)];

test.each(stamped)("stamps $name with its own version", (program) => {
  const version = readVersion(program);
  const args = listBuildArguments(program, version, "/out").join(" ");
  expect(args).toContain(`-X ${program.versionVariable}=v${version}`);
  expect(args).toContain(`-o ${join("/out", program.name)} ${program.package}`);
});

// If the program does not have the variable, or does not read it, Go says nothing.
test.each(stamped)("stamps $name at its own repository's place", (program) => {
  const repository = program.module.split("/").slice(0, 3).join("/");
  expect(program.versionVariable ?? "").toMatch(new RegExp(`^${repository}/.*\\.Version$`));
});

test.each(everyProgram)("builds $name again if any file of its folder changes", (program) => {
  const inputs = new Map(readInputs(program));
  for (const file of readdirSync(program.folder)) {
    const text = readFileSync(join(program.folder, file), "utf8");
    expect(inputs.get(`${program.name}/${file}`)).toBe(text);
  }
});

test("builds the language hosts for Node.js and YAML", () => {
  const hosts = goPrograms.map(({ name }) => name).filter((name) => name.includes("-language-"));
  expect(hosts).toEqual(["pulumi-language-nodejs", "pulumi-language-yaml"]);
});
