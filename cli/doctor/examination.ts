import { cwd } from "node:process";
import { type Access, readAccessStrictly, SettingsError } from "../settings.ts";
import { readAllKnownOrders } from "../state-file.ts";
import type { Terminal } from "../terminal.ts";
import type { DoctorFlags } from "./doctor.ts";
import { exitCodeOf, type Finding, type Found, inRoom } from "./findings.ts";
import { lookAtJournal } from "./journal-check.ts";
import type { OpenAnswers } from "./open-answers.ts";
import { surveyPrices } from "./price-survey.ts";
import { lookAtProject } from "./project.ts";
import { openRawCalls } from "./raw-calls.ts";
import { reachService } from "./reach.ts";
import { keepRecord, requireNewFolder } from "./record-keeping.ts";
import { describeReport, planNext } from "./report.ts";
import { observeHabits } from "./service-habits.ts";
import { type GivenStates, judgeStrays } from "./stray-orders.ts";
import { lookAround } from "./surroundings.ts";

/** Looks at everything, and tells it. */
export async function examine(flags: DoctorFlags, terminal: Terminal): Promise<void> {
  const states = await readStates(flags.state);
  if (flags.record !== undefined) await requireNewFolder(flags.record);
  const here = [...(await lookAround(terminal.environment)), ...(await lookAtProject(cwd()))];
  const { access, found } = readSettings(flags, terminal);
  const asked = access && (await askService(access, states, flags.record, terminal));
  const findings = [...inRoom("here", [...found, ...here]), ...(asked?.findings ?? [])];
  const exitCode = exitCodeOf(findings);
  if (exitCode !== 0) terminal.endWith(exitCode);
  const { answers, recording } = asked ?? {};
  const report = { findings, answers, recording, next: planNext(findings, recording) };
  terminal.print(flags.json ? JSON.stringify(report, undefined, 2) : describeReport(report));
}

async function readStates(files: readonly string[] | undefined): Promise<GivenStates> {
  return files && { files, known: await readAllKnownOrders(files) };
}

interface Examined {
  findings: Finding[];
  /** Absent if the service could not be asked. */
  answers?: OpenAnswers;
  /** The folder of the recording, if one was written. */
  recording?: string | undefined;
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

async function askService(
  access: Access,
  states: GivenStates,
  folder: string | undefined,
  terminal: Terminal,
): Promise<Examined> {
  const tellCount = (count: number) => terminal.showProgress(`call ${count} to the service`);
  const calls = openRawCalls(access, tellCount);
  try {
    const { balance, found } = await reachService(calls, access);
    const findings = inRoom("here", found);
    if (balance === undefined) return { findings };
    const { intents, ...journal } = await lookAtJournal(access);
    const habits = await observeHabits(calls, intents);
    const strays = judgeStrays(states, access.foreignOrders, habits.readings, habits.now);
    findings.push(...inRoom("here", [...journal.found, ...strays]));
    findings.push(...inRoom("service", habits.found));
    if (folder !== undefined) {
      const prices = await surveyPrices(calls, habits.catalogue, habits.answers);
      const { exchanges } = calls;
      await keepRecord(folder, access.apiKey, { habits, prices, money: balance, exchanges });
    }
    return { findings, answers: habits.answers, recording: folder };
  } finally {
    await calls.close();
  }
}
