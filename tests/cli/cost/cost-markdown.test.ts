import { expect, test } from "vitest";
import { describeCostInMarkdown } from "../../../cli/cost/cost-markdown.ts";
import { readPreviews } from "../../../cli/cost/previews.ts";
import { createReport } from "../../../cli/cost/report.ts";
import { bought, orderInputs, type StepText, step, writePreview } from "./preview-document.ts";

const paid = orderInputs(bought());
const text = { tag: "<!-- tag -->", excesses: ["Above it."], redact: (said: string) => said };

async function reportOf(...stacks: StepText[][]) {
  const files: string[] = [];
  for (const [index, steps] of stacks.entries()) {
    files.push(await writePreview(steps, { stack: `stack${index}` }));
  }
  return createReport(await readPreviews(files, []));
}

function numbered(count: number, make: (name: string) => StepText): StepText[] {
  return Array.from({ length: count }, (_, index) => make(`n${String(index).padStart(5, "0")}`));
}

const rowsOf = (markdown: string) => markdown.split("\n").filter((line) => line.startsWith("| `"));

test("a comment that fits is not cut", async () => {
  const report = await reportOf(numbered(300, (name) => step(paid, { name })));
  const whole = describeCostInMarkdown(report, text);
  expect(rowsOf(whole)).toHaveLength(300);
  expect(describeCostInMarkdown(report, { ...text, maxLength: whole.length })).toBe(whole);
  const cut = describeCostInMarkdown(report, { ...text, maxLength: whole.length - 1 });
  expect(cut).toContain("\n\n… and 1 more resource\n\n");
  expect(rowsOf(cut)).toEqual(rowsOf(whole).slice(0, 299));
});

test("a comment that is too long loses whole rows, which it counts, and neither its tag, sums nor warnings", async () => {
  const report = await reportOf(
    numbered(2_000, (name) => step(paid, { name })),
    [step(paid, { name: "tainted", op: "replace", old: paid, reasons: ["id"] })],
  );
  const whole = describeCostInMarkdown(report, text);
  expect(whole.length).toBeGreaterThan(65_536);
  for (const maxLength of [65_536, 20_000, 1_000]) {
    const cut = describeCostInMarkdown(report, { ...text, maxLength });
    expect(cut.length).toBeLessThanOrEqual(maxLength);
    const rows = rowsOf(cut);
    expect(rows).toEqual(rowsOf(whole).slice(0, rows.length));
    expect(cut).toContain(`\n\n… and ${2_001 - rows.length} more resources\n\n`);
    // One row more would not fit.
    expect(cut.length + (rowsOf(whole)[rows.length]?.length ?? 0) + 1).toBeGreaterThan(maxLength);
    expect(cut.split("\n").slice(0, 5)).toEqual([
      "<!-- tag -->",
      "",
      "### These 2 runs spend 14007.00 USD",
      "",
      "**Above it.**",
    ]);
    expect(cut).toContain("`tainted` in `stack1` is replaced although no argument asks for it");
    expect(cut).toContain("- Balance: 1000.00 USD before, -13007.00 USD after.");
  }
});

test("names in warnings are counted too if the comment would be too long even without rows", async () => {
  const open = orderInputs({ effect: "unknown" });
  const tainted = { op: "replace", old: paid, reasons: ["id"] };
  const report = await reportOf([
    ...numbered(1_500, (name) => step(open, { name: `open-${name}` })),
    ...numbered(1_500, (name) => step(paid, { name: `tainted-${name}`, ...tainted })),
  ]);
  const cut = describeCostInMarkdown(report, { ...text, maxLength: 65_536 });
  expect(cut.length).toBeLessThanOrEqual(65_536);
  expect(cut).toMatch(/count instead: `open-n00000`, .*`open-n00099` and 1400 more\. The figures/);
  expect(cut).toContain("- Each of the other 1400 resources is replaced although");
  expect(rowsOf(cut).length).toBeGreaterThan(300);
  const short = describeCostInMarkdown(report, { ...text, maxLength: 1_500 });
  expect(short.length).toBeLessThanOrEqual(1_500);
  expect(short).toContain("count instead: 1500 resources. The figures");
  expect(short).toContain("- Each of 1500 resources is replaced although");
  expect(short).toMatch(/… and 2\d{3} more resources|3000 resources/);
});

test("no length is too short for a whole comment because of names: a secret's replacement counts too", async () => {
  const report = await reportOf(numbered(50, (name) => step(paid, { name: `x${name}` })));
  const redact = (said: string) => said.replaceAll("xn", "[a longer text than before]n");
  const cut = describeCostInMarkdown(report, { ...text, redact, maxLength: 3_000 });
  expect(cut.length).toBeLessThanOrEqual(3_000);
  expect(cut).toContain("[a longer text than before]n00000");
});
