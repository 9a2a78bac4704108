import { dirname } from "node:path";
import type { MakeOptions } from "./cache.ts";
import { ensureProgram } from "./go-build.ts";
import { languageHosts } from "./go-program.ts";
import { findExecutable } from "./on-path.ts";

/** The host that runs programs of a language. */
export interface LanguageHost {
  /** The folder with the host. It must be on the PATH of the CLI. */
  readonly binDir: string;
  /** Hosts that were built here run programs, but can't generate SDKs. Those of an installed CLI can. */
  readonly generates: boolean;
}

/** Finds the host beside the CLI, or builds an older one. Throws like `ensureProgram`. */
export async function ensureLanguageHost(
  language: keyof typeof languageHosts,
  cliDir: string,
  surroundings: MakeOptions,
): Promise<LanguageHost> {
  const host = languageHosts[language];
  const own = findExecutable(host.name, cliDir);
  if (own !== undefined) return { binDir: dirname(own), generates: true };
  const built = await ensureProgram(host, surroundings, `for programs in ${language}`);
  return { binDir: dirname(built), generates: false };
}
