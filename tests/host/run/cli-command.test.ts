import { hostname } from "node:os";
import { expect, test } from "vitest";
import { findCliCommand, parseCliCommand } from "../../../provider/host/run/cli-command.ts";

test.each([
  ["preview", "preview", "preview"],
  ["pre --json", "preview", "preview"],
  ["--cwd up preview", "preview", "preview"],
  ["-C /work/fleet --non-interactive preview --diff", "preview", "preview"],
  ["up", "up", "unknown"],
  ["up --yes", "up", "unknown"],
  ["update --yes --skip-preview", "up", "update"],
  ["up --skip-preview=true", "up", "update"],
  ["up --skip-preview=false", "up", "unknown"],
  ["up -f", "up", "update"],
  ["up -yf", "up", "update"],
  ["up -rf", "up", "update"],
  ["up -f=false", "up", "unknown"],
  ["up -f --skip-preview=false", "up", "unknown"],
  ["up -p4 -f", "up", "update"],
  ["up -m -f", "up", "unknown"],
  ["up -ym -f", "up", "unknown"],
  ["up -ymf", "up", "unknown"],
  ["up -- -f", "up", "unknown"],
  ["up --suppress-permalink --skip-preview", "up", "update"],
  ["up --attach-debugger -f", "up", "update"],
  ["up --refresh --skip-preview", "up", "update"],
  ["up --message --skip-preview --yes", "up", "unknown"],
  ["up -s preview", "up", "unknown"],
  ["up --stack dev --skip-preview", "up", "update"],
  ["--color never up --parallel 4 -y", "up", "unknown"],
  ["destroy --skip-preview", "other", "unknown"],
  ["refresh --yes", "other", "unknown"],
  ["import proxyrental:index:ProxyOrder usa 7000", "other", "unknown"],
  ["watch", "other", "unknown"],
  ["", "other", "unknown"],
])("`pulumi %s` is %s, and the command line says phase %s", (line, command, phase) => {
  const words = line.split(" ").filter((word) => word !== "");
  expect(parseCliCommand(words)).toEqual({ command, phase });
});

test.each([
  ["up --plan plan.json", true],
  ["--non-interactive up --yes --plan=plan.json", true],
  ["up --plan= --yes", undefined],
  ["up --plan plan.json --plan=", undefined],
  ["up --message --plan --yes", undefined],
  ["up --plan --message", true],
  ["up --yes", undefined],
  ["up --planned", undefined],
  ["up -ym --plan=that", undefined],
  ["up -- --plan=that", undefined],
  ["up https://example.com/template --plan plan.json", undefined],
  ["up -s dev --plan plan.json -p 4", true],
  ["preview --save-plan plan.json", undefined],
])("whether `pulumi %s` applies a plan file: %s", (line, applies) => {
  expect(parseCliCommand(line.split(" ")).appliesPlanFile).toBe(applies);
});

test("an empty word names no plan file", () => {
  expect(parseCliCommand(["up", "--plan", "", "--yes"]).appliesPlanFile).toBeUndefined();
});

const unseen = { command: undefined, phase: "unknown" };

function machine(...lines: [pid: number, parent: number, ...words: string[]][]) {
  const seen = new Map(
    lines.map(([pid, parent, ...words]) => [pid, { parent, began: "77", words }]),
  );
  return (pid: number) => seen.get(pid);
}

test("the CLI is found behind the shell that starts a dynamic provider", () => {
  const look = machine(
    [30, 20, "/bin/sh", "/opt/pulumi-resource-pulumi-nodejs", "127.0.0.1:4000"],
    [20, 10, "/opt/pulumi", "preview"],
    [10, 1, "/opt/pulumi", "up", "-f"],
  );
  expect(findCliCommand(30, look)).toEqual({
    ...{ command: "preview", phase: "preview" },
    commandId: `${hostname()}-20-77`,
  });
});

test("on Windows its name ends in .exe", () => {
  const look = machine([20, 1, "C:\\tools\\pulumi.exe", "up"]);
  expect(findCliCommand(20, look)).toMatchObject({ command: "up", phase: "unknown" });
});

test.each([
  ["nothing can be read", machine()],
  ["there is no CLI", machine([20, 1, "/usr/bin/vitest", "preview"])],
  [
    "a program only has its name as an argument",
    machine([20, 1, "/usr/bin/node", "pulumi", "preview"], [1, 0, "init"]),
  ],
  ["it is the CLI's language host", machine([20, 1, "/opt/pulumi-language-nodejs", "preview"])],
  [
    "it is too many parents away",
    machine(...[20, 19, 18, 17].map((pid): [number, number, string] => [pid, pid - 1, "/bin/sh"]), [
      16,
      1,
      "/opt/pulumi",
      "preview",
    ]),
  ],
])("nothing is known if %s", (_why, look) => {
  expect(findCliCommand(20, look)).toEqual(unseen);
});

test("this machine's own parent process can be read", () => {
  expect(findCliCommand()).toEqual(unseen);
});
