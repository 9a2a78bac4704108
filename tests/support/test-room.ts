import { execa } from "execa";

/** The folders with the tests of each room. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  core: ["tests/core"],
  client: ["tests/client"],
  journals: ["tests/journals"],
  policy: ["tests/policy"],
  cli: ["tests/cli/"],
  sdk: ["tests/sdk"],
  host: ["tests/host"],
  simulator: ["tests/simulator"],
  page: ["tests/page"],
  toolchain: ["tests/toolchain"],
  faults: ["tests/faults"],
  engine: ["tests/engine", "tests/faults/engine", "tests/packed"],
};

/** Rooms whose tests run built code: the CLI's commands, or the plugin's process. For these the code is built first. */
const built: ReadonlySet<string> = new Set(["host", "policy", "engine"]);

const [room = "", ...more] = process.argv.slice(2);
const paths = rooms[room];
if (paths === undefined) {
  console.error(`Which room? ${Object.keys(rooms).join(", ")}`);
  process.exit(1);
}
const inherited = { stdio: "inherit", reject: false } as const;
if (built.has(room)) {
  const { exitCode } = await execa("npm", ["run", "build", "--silent"], inherited);
  if (exitCode !== 0) process.exit(exitCode ?? 1);
}
const project = room === "engine" ? "engine" : "unit*";
const { exitCode } = await execa(
  "vitest",
  ["run", "--project", project, ...paths, ...more],
  inherited,
);
process.exit(exitCode ?? 1);
