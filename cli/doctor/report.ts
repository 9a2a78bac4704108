import { quoteForShell } from "../settings.ts";
import { printTable } from "../table.ts";
import type { Finding, Mark } from "./findings.ts";
import { describeAnswer, type OpenAnswers } from "./open-answers.ts";

/** All that doctor has found out. Also what `--json` prints. */
export interface Report {
  findings: readonly Finding[];
  /** What was seen of each question that the service's document leaves open; absent if the service could not be asked. */
  answers?: OpenAnswers | undefined;
  /** The folder of the recording, if one was written. */
  recording?: string | undefined;
  /** What to do next. */
  next: readonly string[];
}

const shownAs: Record<Mark, string> = {
  well: "well     ",
  look: "LOOK     ",
  wrong: "WRONG    ",
  notAsked: "not asked",
};

const titles: Record<Finding["room"], string> = {
  here: "Here:",
  service: "The service:",
};

/** What to do about the findings, what does not work first. */
export function planNext(findings: readonly Finding[], recording?: string): string[] {
  const todos = (["wrong", "look"] as const).flatMap((mark) =>
    findings.filter((finding) => finding.mark === mark).flatMap(({ todo }) => todo ?? []),
  );
  const play =
    recording === undefined
      ? []
      : [
          `The recording is in ${recording}. Play it: npx pulumi-proxyrental simulator --like ${quoteForShell(recording)}`,
        ];
  return [...new Set(todos), ...play];
}

/** The report for a person. */
export function describeReport({ findings, answers, next }: Report): string {
  const rooms = (["here", "service"] as const).flatMap((room) => {
    const own = findings.filter((finding) => finding.room === room);
    return own.length === 0 ? [] : [[titles[room], ...own.map(describeFinding)].join("\n")];
  });
  const steps = next.length === 0 ? ["Nothing needs to be done."] : next;
  const questions = answers === undefined ? [] : [describeAnswers(answers)];
  return [
    ...rooms,
    ...questions,
    ["What to do next:", ...steps.map((step) => `  ${step}`)].join("\n"),
  ].join("\n\n");
}

function describeFinding({ mark, about, text }: Finding): string {
  return `  ${shownAs[mark]}  ${about}: ${text}`;
}

function describeAnswers(answers: OpenAnswers): string {
  const rows = Object.entries(answers).map(([question, seen]) => ({
    QUESTION: question,
    ANSWER: describeAnswer(seen),
    HOW: seen.how,
  }));
  return `What the service's document leaves open (simulator/README.md says what each means):\n${printTable(rows).replaceAll(/^/gm, "  ")}`;
}
