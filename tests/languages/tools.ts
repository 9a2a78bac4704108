import { execa } from "execa";
import { describe, expect } from "vitest";
import { findExecutable } from "../../toolchain/on-path.ts";
import { checkoutDir } from "../../toolchain/project.ts";
import { skipByName } from "../support/skip-by-name.ts";

/** Describes what needs these programs. Where the machine does not have one, it is skipped by its name. */
export function describeWith(name: string, programs: readonly string[], declare: () => void): void {
  const missing = programs.filter(
    (program) => findExecutable(program, process.env.PATH ?? "") === undefined,
  );
  if (missing.length === 0) describe(name, declare);
  else skipByName(name, `no ${missing.join(" and no ")} on PATH`);
}

/** Runs a tool of a language in a folder. It must succeed; otherwise the test shows what it says. */
export async function runTool(folder: string, tool: string, ...args: string[]): Promise<void> {
  const options = { cwd: folder, preferLocal: true, localDir: checkoutDir } as const;
  const { exitCode, all } = await execa(tool, args, { ...options, all: true, reject: false });
  expect(exitCode, all).toBe(0);
}
