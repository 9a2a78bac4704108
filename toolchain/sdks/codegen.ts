import { execa } from "execa";
import type { MakeOptions } from "../cache.ts";
import { ensureProgram } from "../go-build.ts";
import { codegen } from "../go-program.ts";

/** The languages of the generated SDKs. */
export const languages = ["nodejs", "python", "go", "dotnet", "java"] as const;
export type Language = (typeof languages)[number];

/** Writes an SDK for each language into a folder of its name, and replaces what was there. */
export async function writeSdks(
  options: {
    readonly schema: string;
    readonly folder: string;
    readonly languages: readonly Language[];
  },
  surroundings: MakeOptions,
): Promise<void> {
  const program = await ensureProgram(codegen, surroundings, "for SDKs");
  await execa(program, ["sdks", options.schema, options.folder, ...options.languages]);
}

/** Writes YAML programs in the other languages. @returns the programs by name, then by language */
export async function writePrograms(
  schema: string,
  sources: Readonly<Record<string, string>>,
  surroundings: MakeOptions,
): Promise<Record<string, Record<string, string>>> {
  const program = await ensureProgram(codegen, surroundings, "for examples");
  const { stdout } = await execa(program, ["programs", schema], { input: JSON.stringify(sources) });
  return JSON.parse(stdout);
}
