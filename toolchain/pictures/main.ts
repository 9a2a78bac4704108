import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { startSimulator } from "../../simulator/index.ts";
import { readPage } from "../../tests/support/docs.ts";
import { pulumiEnvironment } from "../environment.ts";
import { checkoutDir, makeProject } from "../project.ts";
import { ensurePulumi } from "../pulumi-cli.ts";
import { plain, readScreen, type Span, textOf } from "./screen.ts";
import { drawTerminal, palettes } from "./svg.ts";

/** The account, and the machine's clock, stand at this moment, so that each drawing is the same. */
const moment = "2026-03-02T09:00:00.000Z";

const columns = 100;

const projectFile = "name: prices\nruntime: nodejs\noptions:\n  refresh: always\n";

/** Runs README's program in a terminal, against the simulator, and returns what the terminal shows. */
async function showPreview(): Promise<Span[][]> {
  const { binDir } = await ensurePulumi();
  const dir = await mkdtemp(join(tmpdir(), "proxyrental-pictures-"));
  const simulator = await startSimulator({ seed: 1, now: () => new Date(moment) });
  try {
    const [folder, backendDir] = [join(dir, "prices"), join(dir, "backend")];
    await mkdir(backendDir);
    const program = readPage("README.md").block("ts");
    await makeProject(folder, { "Pulumi.yaml": projectFile, "index.ts": program });
    const env = pulumiEnvironment({
      ...{ binDir, home: join(dir, "home"), backendDir },
      extra: {
        PROXYRENTAL_BASE_URL: simulator.baseUrl,
        PROXYRENTAL_API_KEY: simulator.apiKey,
        NODE_OPTIONS: `--disable-warning=ExperimentalWarning --require ${join(checkoutDir, "tests/support/machine-clock.cjs")}`,
        TEST_MACHINE_TIME: moment,
        TERM: "xterm-256color",
      },
    });
    const options = { cwd: folder, env, extendEnv: false } as const;
    await execa("pulumi", ["stack", "init", "dev"], options);
    // `script` gives the command a terminal: without one the CLI draws no tree.
    const command = `stty cols ${columns} rows 60; pulumi preview --color always`;
    const { stdout } = await execa("script", ["-qec", command, "/dev/null"], options);
    return readScreen(stdout, columns);
  } finally {
    await simulator.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Draws what the terminal shows, once for a light page and once for a dark one. */
async function main(): Promise<void> {
  const prompt: Span[] = [
    { text: "$ ", style: { ...plain, colour: 2, isBold: true } },
    { text: "pulumi preview", style: { ...plain, isBold: true } },
  ];
  const shown = await showPreview();
  const lines = [prompt, ...shown.slice(0, shown.findLastIndex((line) => textOf(line) !== "") + 1)];
  const folder = join(checkoutDir, "docs", "pictures");
  await mkdir(folder, { recursive: true });
  for (const [name, palette] of Object.entries(palettes)) {
    const picture = drawTerminal(lines, palette, lines.map(textOf).join("\n"));
    await writeFile(join(folder, `preview-${name}.svg`), picture);
  }
  console.log(lines.map(textOf).join("\n"));
}

await main();
