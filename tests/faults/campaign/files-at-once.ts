import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

/**
 * From now on this process reads and writes files at once, where it would otherwise ask a thread to. Nothing else changes:
 * they are the same calls to the same files. A schedule makes thousands of them in memory, and most of its time went into the
 * way to the thread and back.
 */
export function useFilesAtOnce(): void {
  const { readdirSync, statSync, lstatSync, mkdirSync, rmSync, rmdirSync, renameSync } = fs;
  const { linkSync, unlinkSync, accessSync, readFileSync, writeFileSync, appendFileSync } = fs;
  const atOnce = {
    ...{ readdir: readdirSync, stat: statSync, lstat: lstatSync, access: accessSync },
    ...{ mkdir: mkdirSync, rm: rmSync, rmdir: rmdirSync, rename: renameSync },
    ...{ link: linkSync, unlink: unlinkSync },
    ...{ readFile: readFileSync, writeFile: writeFileSync, appendFile: appendFileSync },
  };
  for (const [name, call] of Object.entries(atOnce)) {
    Object.assign(promises, { [name]: promised(call as (...args: unknown[]) => unknown) });
  }
  Object.assign(promises, { open: promised(openAtOnce) });
  // What was imported by name is the new function, too.
  syncBuiltinESMExports();
}

/** The same as a promise, which is rejected where the call throws. */
function promised<Args extends unknown[], Value>(call: (...args: Args) => Value) {
  return async (...args: Args): Promise<Value> => call(...args);
}

/** An open file, with what this package does with one. Anything else is missing, and so fails. */
function openAtOnce(...args: Parameters<typeof fs.openSync>) {
  const file = fs.openSync(...args);
  return {
    readFile: promised((encoding: BufferEncoding) => fs.readFileSync(file, encoding)),
    read: promised(({ buffer, position }: { buffer: Buffer; position: number }) => {
      const bytesRead = fs.readSync(file, buffer, { position });
      return { buffer, bytesRead };
    }),
    writeFile: promised((text: string) => fs.writeFileSync(file, text)),
    appendFile: promised((text: string) => fs.appendFileSync(file, text)),
    stat: promised((options?: { bigint: true }) => fs.fstatSync(file, options)),
    sync: promised(() => fs.fsyncSync(file)),
    close: promised(() => fs.closeSync(file)),
  };
}
