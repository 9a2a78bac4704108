import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { lookAtProject } from "../../../cli/doctor/project.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { deliveredOrder, exportFile } from "../stack-export.ts";
import { marksOf, saidOf, startPatient } from "./patient.ts";

vi.setConfig({ testTimeout: 60_000 });

/** A folder with these files. */
async function makeProject(files: Record<string, string>): Promise<string> {
  const folder = await makeTemporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

async function look(files: Record<string, string>) {
  const findings = await lookAtProject(await makeProject(files));
  return { findings: findings.map((found) => ({ room: "here" as const, ...found })), next: [] };
}

const dynamic = JSON.stringify({ dependencies: { "pulumi-proxyrental": "1" } });
const plugin = JSON.stringify({ dependencies: { "@pulumi-proxyrental/proxyrental": "1" } });

test.each([
  [
    "a TypeScript program",
    { "Pulumi.yaml": "name: a\nruntime: nodejs", "package.json": dynamic },
    "dynamic resources",
  ],
  [
    "a TypeScript program with options of its runtime",
    {
      "Pulumi.yaml": "name: a\nruntime:\n  name: nodejs\n  options: {typescript: false}",
      "package.json": dynamic,
    },
    "dynamic resources",
  ],
  [
    "a TypeScript program with the plugin's SDK",
    { "Pulumi.yaml": "name: a\nruntime: nodejs", "package.json": plugin },
    "the plugin (runtime nodejs)",
  ],
  [
    "a YAML program that names the plugin",
    {
      "Pulumi.yaml":
        "name: a\nruntime: yaml\nplugins: {providers: [{name: proxyrental, path: node_modules/.bin}]}",
    },
    "the plugin (runtime yaml)",
  ],
  [
    "a package that was added",
    { "Pulumi.yaml": "name: a\nruntime: python\npackages: {proxyrental: x@1}" },
    "the plugin (runtime python)",
  ],
  [
    "another language",
    { "Pulumi.yaml": "name: a\nruntime: go" },
    "the plugin, if it uses this provider at all (runtime go)",
  ],
  [
    "a program without this package",
    { "Pulumi.yaml": "name: a\nruntime: nodejs" },
    "neither the plugin nor pulumi-proxyrental",
  ],
  ["a project in JSON", { "Pulumi.json": '{"name":"a","runtime":"java"}' }, "(runtime java)"],
])("the host of %s is told", async (_, files, host) => {
  const report = await look(files as Record<string, string>);
  expect(saidOf(report, "project")).toContain(host);
});

test.each([
  ["options:\n  refresh: always", "well"],
  ["options:\n  refresh: never", "look"],
  ["options: 5", "look"],
  ["", "look"],
])("whether each preview refreshes: %j", async (options, mark) => {
  const report = await look({ "Pulumi.yaml": `name: a\nruntime: nodejs\n${options}` });
  expect(marksOf(report, "refresh")).toEqual([mark]);
});

const project = "name: a\nruntime: nodejs\noptions: {refresh: always}\n";

test.each([
  [
    "encrypted",
    { "Pulumi.dev.yaml": "config:\n  proxyrental:apiKey:\n    secure: v1:abc" },
    "well",
    "",
  ],
  ["not there", { "Pulumi.dev.yaml": "config:\n  other:apiKey: hush-hush" }, "well", ""],
  [
    "plain in one stack",
    {
      "Pulumi.dev.yaml": "config: {}",
      "Pulumi.prod.yaml": "config:\n  proxyrental:apiKey: hush-hush",
    },
    "look",
    "Pulumi.prod.yaml has",
  ],
  [
    "plain in the project",
    { "Pulumi.yaml": `${project}config:\n  proxyrental:apiKey:\n    value: hush-hush` },
    "look",
    "Pulumi.yaml has",
  ],
  [
    "a number in two stacks",
    {
      "Pulumi.a.yaml": "config: {'proxyrental:apiKey': 12345678}",
      "Pulumi.b.yml": "config: {'proxyrental:apiKey': 12345678}",
    },
    "look",
    "Pulumi.a.yaml, Pulumi.b.yml have",
  ],
])("a key that is %s", async (_, files, mark, text) => {
  const report = await look({ "Pulumi.yaml": project, ...(files as Record<string, string>) });
  expect(marksOf(report, "plainKey")).toEqual([mark]);
  expect(saidOf(report, "plainKey")).toContain(text);
  expect(JSON.stringify(report)).not.toMatch(/hush|12345678/);
});

test("a project that is no YAML, and none at all", async () => {
  expect(marksOf(await look({ "Pulumi.yaml": "a: b: c: [" }), "project")).toEqual(["look"]);
  expect(marksOf(await look({}), "project")).toEqual(["notAsked"]);
});

test("doctor looks at the project of the folder in which it runs", async () => {
  const patient = await startPatient();
  const report = await patient.examine([], {
    cwd: await makeProject({ "Pulumi.yaml": "name: fleet\nruntime: nodejs" }),
  });
  expect(saidOf(report, "project")).toContain("fleet uses");
  expect([report.exitCode, marksOf(report, "refresh")]).toEqual([2, ["look"]]);
});

test("orders that no given state has are named; without states nobody has looked", async () => {
  const patient = await startPatient();
  const usa = { proxyType: "IPv4", country: "USA", quantity: 3, rentPeriodDays: 30 } as const;
  const [mine, other] = [1, 2].map(() => patient.simulator.placeForeignOrder(usa));
  if (!mine || !other) throw new Error("there are two orders");
  expect(marksOf(await patient.examine(), "orphans")).toEqual(["notAsked"]);
  const state = await exportFile(deliveredOrder(mine));
  const report = await patient.examine(["--state", state]);
  expect([report.exitCode, marksOf(report, "orphans")]).toEqual([2, ["look"]]);
  expect(saidOf(report, "orphans")).toContain(
    `1 order of the account is in no given state: ${other.orderId}.`,
  );
  expect(report.next).toEqual([`npx pulumi-proxyrental orphans ${state}`]);
  const both = await patient.examine(["--state", state, await exportFile(deliveredOrder(other))]);
  expect([both.exitCode, marksOf(both, "orphans")]).toEqual([0, ["well"]]);
  const declared = await patient.examine(["--state", state], {
    env: { PROXYRENTAL_FOREIGN_ORDERS: other.orderId },
  });
  expect(marksOf(declared, "orphans")).toEqual(["well"]);
  const wrong = await patient.cli(["doctor", "--state", "/nowhere.json"]);
  expect([wrong.exitCode, wrong.stderr]).toEqual([
    1,
    expect.stringContaining("/nowhere.json can't be read (ENOENT)"),
  ]);
});
