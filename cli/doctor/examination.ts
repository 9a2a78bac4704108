import { proxyTypes } from "../../provider/client/index.ts";
import { type Access, readAccessStrictly, SettingsError } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import type { DoctorFlags } from "./doctor.ts";
import { exitCodeOf, type Finding, type Found, inRoom } from "./findings.ts";
import { readTwice, type TypeReading } from "./page-reading.ts";
import { judgePageSize, judgePaging } from "./paging.ts";
import { openRawCalls, type RawCaller } from "./raw-calls.ts";
import { reachService } from "./reach.ts";
import { describeReport, planNext } from "./report.ts";
import { lookAround } from "./surroundings.ts";

/** Looks at everything, and tells it. */
export async function examine(flags: DoctorFlags, terminal: Terminal): Promise<void> {
  const here = await lookAround(terminal.environment);
  const { access, found } = readSettings(flags, terminal);
  const findings: Finding[] = inRoom("here", [...found, ...here]);
  if (access !== undefined) findings.push(...(await askService(access, terminal)));
  const exitCode = exitCodeOf(findings);
  if (exitCode !== 0) terminal.endWith(exitCode);
  const report = { findings, next: planNext(findings) };
  terminal.print(flags.json ? JSON.stringify(report, undefined, 2) : describeReport(report));
}

function readSettings(
  flags: DoctorFlags,
  terminal: Terminal,
): { access: Access | undefined; found: Found[] } {
  const about = "settings";
  try {
    const access = readAccessStrictly(flags, terminal);
    return { access, found: [{ about, mark: "well", text: "Every setting can be read." }] };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const found = error.problems.map((problem): Found => {
      return {
        about,
        mark: "wrong",
        text: `${problem}.`,
        todo: "Correct the settings, and run doctor again: it has not asked the service.",
      };
    });
    return { access: undefined, found };
  }
}

async function askService(access: Access, terminal: Terminal): Promise<Finding[]> {
  const calls = openRawCalls(access, (count) =>
    terminal.showProgress(`call ${count} to the service`),
  );
  try {
    const reach = await reachService(calls, access);
    const findings = inRoom("here", reach.found);
    if (reach.balance === undefined) return findings;
    const readings = await readListings(calls);
    findings.push(...inRoom("service", [...judgePageSize(readings), ...judgePaging(readings)]));
    return findings;
  } finally {
    await calls.close();
  }
}

async function readListings(calls: RawCaller): Promise<TypeReading[]> {
  const readings: TypeReading[] = [];
  for (const proxyType of proxyTypes) readings.push(await readTwice(calls, proxyType));
  return readings;
}
