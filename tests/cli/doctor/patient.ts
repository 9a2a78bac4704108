import { chmod, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { OpenAnswers } from "../../../cli/doctor/open-answers.ts";
import type { Report } from "../../../cli/doctor/report.ts";
import type { SimulatorOptions } from "../../../simulator/index.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import type { RunOptions } from "../command.ts";
import { type Machine, startMachine } from "../machine.ts";

/** A machine that doctor looks at, with a program that answers `pulumi version`. */
export interface Patient extends Machine {
  /** Runs `doctor --json`. */
  examine(flags?: readonly string[], options?: RunOptions): Promise<Report & { exitCode: number }>;
}

/** Makes a machine on which all is well, unless the simulator's options say otherwise. */
export async function startPatient(options: SimulatorOptions = {}): Promise<Patient> {
  const machine = await startMachine(options);
  const { env } = machine;
  env.PATH = [await makeCli("echo v3.270.0"), process.env.PATH ?? ""].join(delimiter);
  return {
    ...machine,
    async examine(flags = [], given = {}) {
      const { exitCode, stdout, stderr } = await machine.cli(["doctor", "--json", ...flags], given);
      if (stdout === "") throw new Error(`doctor said nothing but: ${stderr}`);
      return { exitCode, ...(JSON.parse(stdout) as Report) };
    },
  };
}

/** A folder with a program by the name of the Pulumi CLI. */
export async function makeCli(script: string): Promise<string> {
  const folder = await makeTemporaryFolder();
  const file = join(folder, "pulumi");
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return folder;
}

/** The marks of all findings about something. */
export function marksOf({ findings }: Report, about: string): string[] {
  return findings.filter((finding) => finding.about === about).map(({ mark }) => mark);
}

/** All that is said about something. */
export function saidOf({ findings }: Report, about: string): string {
  return findings
    .filter((finding) => finding.about === about)
    .map(({ text }) => text)
    .join(" ");
}

/** The answers to the open questions, without how they were seen. Those that were not seen are left out. */
export function answersOf({ answers }: Report): Partial<Record<keyof OpenAnswers, unknown>> {
  return Object.fromEntries(
    Object.entries(answers ?? {}).flatMap(([question, { answer }]) =>
      answer === null ? [] : [[question, answer]],
    ),
  );
}
