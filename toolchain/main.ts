/**
 * `npm run toolchain`: prints progress on stderr, and the folder with the programs as the last line of stdout.
 * PROXYRENTAL_TOOLCHAIN_SKIP leaves sources out: with `path,download` the CLI is built.
 */
import { ensurePulumi } from "./pulumi-cli.ts";

try {
  const { binDir } = await ensurePulumi();
  process.stdout.write(`${binDir}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
