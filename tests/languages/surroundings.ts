import { locateCache, type MakeOptions } from "../../toolchain/cache.ts";

/** What a test builds of the toolchain, it keeps in the cache of the machine. */
export const surroundings: MakeOptions = {
  cacheDir: locateCache(process.env),
  env: process.env,
  log: (line) => void process.stderr.write(`toolchain: ${line}\n`),
};
