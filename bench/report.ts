import { growthSteps } from "./growth.ts";
import { type GrowthSummary, peakMbOf } from "./growth-summary.ts";
import { steps } from "./measure.ts";
import type { SimulatorSummary } from "./simulator-summary.ts";
import {
  type ContestantSummary,
  keepsSharedJournal,
  type StepSummary,
  type Summary,
} from "./summary.ts";

interface Report {
  provider: Summary | undefined;
  growth: GrowthSummary | undefined;
  simulator: SimulatorSummary | undefined;
  runs: number;
}

/** Prints the results as text for people. */
export function printReport({ provider, growth, simulator, runs }: Report): void {
  const over = runs === 1 ? "1 run" : `medians of ${runs} runs`;
  if (provider) printProvider(provider, over);
  if (growth) printGrowth(growth);
  if (simulator) printSimulator(simulator, over);
  const aims = [provider, growth, simulator].flatMap((part) => part?.aims ?? []);
  printLines([
    ["aim", "measured", ""],
    ...aims.map(({ what, measured, met }) => [what, measured, met ? "met" : "missed"]),
  ]);
}

function printProvider(summary: Summary, over: string): void {
  const { orders, ips, base, journal, listingPages, contestants } = summary;
  const ours = contestants.filter(({ contestant }) => contestant.kind === "ours");
  console.log(`\n${orders} orders of ${ips} proxies, ${listingPages} pages of listing; ${over}.`);
  console.log(`The floor is as many dynamic resources that do nothing; × is times the ${base}.`);
  console.log("A no-op plans no change; the first one after a purchase still saves new inputs.\n");

  printTable("seconds", contestants, (step, isFloor) =>
    show(step.seconds, isFloor ? undefined : step.timesFloor),
  );
  if (contestants.every(({ steps: own }) => own.up.cpuSeconds !== undefined)) {
    printTable("processor seconds", contestants, (step, isFloor) =>
      show(step.cpuSeconds, isFloor ? undefined : step.cpuTimesFloor),
    );
  }
  for (const { name, steps: own } of ours) {
    const lines = steps.map((step) => [step.name, showRequests(own[step.name])]);
    printLines([[`requests at ${name}`, ""], ...lines]);
  }
  const sharing = ours.filter(({ contestant }) => keepsSharedJournal(contestant));
  if (sharing.length > 0) {
    printLines([
      ["requests to the journal's store, but for its probe", ...sharing.map(({ name }) => name)],
      ...steps.map((step) => [
        step.name,
        ...sharing.map(({ steps: own }) => `${own[step.name].journal.requests}`),
      ]),
    ]);
  }
  printLines([
    ["bytes", "state of a resource", "__provider"],
    ...contestants.map(({ name, stateBytes, providerBytes }) => [
      name,
      `${stateBytes}`,
      `${providerBytes}`,
    ]),
  ]);
  printLines([
    ["a purchase without an engine, at 0 ms", "milliseconds"],
    ["with its journal on disk", journal.withJournalMs.toFixed(2)],
    ["with a journal that forgets", journal.withoutJournalMs.toFixed(2)],
  ]);
}

function printGrowth({ stacks }: GrowthSummary): void {
  console.log("\nThe plugin alone, called as the engine calls it; one run.\n");
  printLines([
    ["orders", ...growthSteps, "pages of up", "pages of refresh", "most memory"],
    ...stacks.map((stack) => [
      `${stack.orders}`,
      ...growthSteps.map((step) => `${stack.steps[step].msAnOrder.toFixed(2)} ms an order`),
      `${stack.steps.up.pages}`,
      `${stack.steps.refresh.pages}`,
      `${peakMbOf(stack).toFixed(0)} MB`,
    ]),
  ]);
}

function printSimulator(summary: SimulatorSummary, over: string): void {
  const { heldIps, pageSize, connections } = summary;
  console.log(
    `\nThe simulator with ${heldIps} proxies, pages of ${pageSize}, ${connections} at once; ${over}.\n`,
  );
  printLines([
    ["simulator", ""],
    ["start to first output", `${summary.firstLineSeconds.toFixed(2)} s`],
    ["start to first answer", `${summary.firstAnswerSeconds.toFixed(2)} s`],
    ["pages a second", summary.pagesPerSecond.toFixed(0)],
    ["of processor a page", `${summary.cpuMsAPage.toFixed(2)} ms`],
    ["latency, median", `${summary.p50Ms} ms`],
    ["latency, 99 of 100", `${summary.p99Ms} ms`],
    ["memory, proxies held", `${describeMemory(summary.filledRssMb, summary.filledHeapMb)}`],
    ["memory, after the pages", `${describeMemory(summary.loadedRssMb, summary.loadedHeapMb)}`],
  ]);
}

function describeMemory(rssMb: number, heapMb: number): string {
  return `${rssMb.toFixed(0)} MB, ${heapMb.toFixed(0)} MB of it heap`;
}

function printTable(
  title: string,
  contestants: readonly ContestantSummary[],
  showCell: (step: StepSummary, isFloor: boolean) => string,
): void {
  const rows = steps.map(({ name }) => [
    name,
    ...contestants.map(({ contestant, steps: own }) =>
      showCell(own[name], contestant.kind !== "ours"),
    ),
  ]);
  printLines([[title, ...contestants.map(({ name }) => name)], ...rows]);
}

function show(seconds: number | undefined, timesFloor: number | undefined): string {
  const ratio = timesFloor === undefined ? "" : `  ${timesFloor.toFixed(2)}×`;
  return `${seconds?.toFixed(2)}${ratio}`;
}

function showRequests({ requests }: StepSummary): string {
  const counts = Object.entries(requests).map(([endpoint, count]) => `${endpoint} ${count}`);
  return counts.length === 0 ? "none" : counts.join(", ");
}

/** Prints a table. Each column is as wide as its widest cell; a rule stands below the head. */
function printLines(rows: readonly (readonly string[])[]): void {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const join = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("   ")
      .trimEnd();
  console.log(join(head));
  console.log(join(widths.map((width) => "-".repeat(width))));
  for (const row of rows.slice(1)) console.log(join(row));
  console.log("");
}
