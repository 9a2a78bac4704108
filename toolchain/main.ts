/**
 * `npm run toolchain`: progress on stderr, the folder with the binaries as the last line of stdout.
 * PROXYRENTAL_TOOLCHAIN_SKIP leaves sources out, for instance `path,download` to get the build.
 */
import { ensurePulumi } from "./pulumi-cli.ts";

try {
  const { binDir } = await ensurePulumi();
  process.stdout.write(`${binDir}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
