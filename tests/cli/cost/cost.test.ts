import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { readPage } from "../../support/docs.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { type Outcome, runCli } from "../command.ts";
import { exportText } from "../stack-export.ts";
import {
  bought,
  dynamic,
  HUSH,
  orderInputs,
  owned,
  previewText,
  type StepText,
  step,
} from "./preview-document.ts";

vi.setConfig({ testTimeout: 60_000 });

const extension = { type: dynamic("IpExtension") };
const autoExtension = { type: dynamic("IpAutoExtend") };
const paid = orderInputs(bought());

/** Runs `cost` without a key and without a service in its environment. So the command can't ask anybody. */
async function cost(steps: readonly StepText[], ...flags: string[]): Promise<Outcome> {
  const file = join(await makeTemporaryFolder(), "preview.json");
  await writeFile(file, previewText(steps, { same: 3 }));
  const outcome = await runCli(["cost", file, ...flags]);
  expect(outcome.stdout + outcome.stderr).not.toContain(HUSH);
  return outcome;
}

const everything: StepText[] = [
  step(paid, { name: "a-new" }),
  step(
    orderInputs(bought({ effect: "topUp", quantity: 3, price: 4.2, owned }), {
      holdings: { held: 8, released: [] },
    }),
    {
      ...{ name: "b-grown", op: "update", old: paid },
    },
  ),
  step(orderInputs(bought({ effect: "replace" })), {
    ...{ name: "c-moved", op: "replace", old: paid, reasons: ["country"] },
  }),
  step(paid, { name: "d-tainted", op: "replace", old: paid, reasons: ["id"] }),
  step(orderInputs({ effect: "adopt" }), { name: "e-adopted" }),
  step(orderInputs({ effect: "unknown", priceAtMost: 5 }, { holdings: undefined }), {
    name: "f-capped",
  }),
  step(orderInputs({ effect: "unknown" }, { country: "[secret]", holdings: undefined }), {
    name: "g-open",
  }),
  step(undefined, { name: "h-gone", op: "delete", old: paid }),
  step(orderInputs(bought({ effect: "extend", price: 14 })), { ...extension, name: "i-through" }),
  step(
    orderInputs(
      { effect: "autoExtend", pricePerCycle: 7, currency: "USD" },
      { ipAddressIds: ["1"] },
    ),
    {
      ...{ ...autoExtension, name: "j-keep" },
    },
  ),
];

describe("cost", () => {
  test("says on a terminal what is paid now, what is paid later, and what is left", async () => {
    const { exitCode, stdout, stderr } = await cost(everything);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(
      `This run spends 39.20 USD, at most 44.20 USD, and a price that nobody knows yet.

RESOURCE   PLAN        WHAT                            PAID NOW          PAID LATER
i-through  extends     5 IPv4 proxies in USA, 30 days  14.00 USD
a-new      buys        5 IPv4 proxies in USA, 30 days  7.00 USD
b-grown    grows       3 IPv4 proxies in USA, 30 days  4.20 USD
c-moved    replaces    5 IPv4 proxies in USA, 30 days  7.00 USD
d-tainted  replaces    5 IPv4 proxies in USA, 30 days  7.00 USD
e-adopted  takes over  5 IPv4 proxies in USA, 30 days  0
f-capped   may buy     IPv4 proxies in USA, 30 days    at most 5.00 USD
g-open     may buy     IPv4 proxies, 30 days           unknown
h-gone     lets go     5 IPv4 proxies in USA, 30 days  0
j-keep     renews      1 IPv4 proxy, 30 days                             7.00 USD every 30 days

d-tainted is replaced although no argument asks for it (--target-replace, \`pulumi state taint\`, or replacementTrigger): what it holds stays paid, and is bought again.
No price yet, and no maxPrice to count instead: g-open. The figures below are without.
Balance: 1000.00 USD before, at most 960.80 USD after.
Held, per 30 days: 28.00 USD before, 32.20 USD and what is not known yet after.
Renews by itself, per 30 days: 0.00 USD before, 7.00 USD after; never part of the sum above.
Not in the figures per 30 days, since their price is not told: e-adopted, f-capped, g-open.
2 unchanged resources are not in the preview, so not in the figures per 30 days: preview with --show-sames.`,
    );
  });

  test("writes a table for a pull request, in which a name can't end a cell or mention a user", async () => {
    const name = "x|y`<b>@all\u001b[31m";
    const { exitCode, stdout } = await cost([step(paid, { name })], "--markdown");
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      `<!-- pulumi-proxyrental:cost tag -->

### This run spends 7.00 USD

| resource | plan | what | paid now |
| --- | --- | --- | ---: |
| \`x\\|y'<b>@all?[31m\` | buys | 5 IPv4 proxies in USA, 30 days | 7.00 USD |

- Balance: 1000.00 USD before, 993.00 USD after.
- Held, per 30 days: 0.00 USD before, 7.00 USD after.
- 2 unchanged resources are not in the preview, so not in the figures per 30 days: preview with --show-sames.`,
    );
    expect((await cost([step(paid, { name })])).stdout).toContain("x|y`<b>@all?[31m");
  });

  test("writes the comment that the page shows", async () => {
    const shown = readPage("docs/ci.md").text.match(/^>.*$/gm) ?? [];
    const input = previewText(
      [
        step(orderInputs(bought({ effect: "topUp", quantity: 3, price: 4.2, owned })), {
          ...{ name: "grown", op: "update", old: paid },
        }),
        step(orderInputs(bought({ effect: "replace", price: 7.35 }), { country: "DEU" }), {
          ...{ name: "moved", op: "replace", old: paid, reasons: ["country"] },
        }),
        step(orderInputs({ effect: "unknown", priceAtMost: 5 }, { holdings: undefined }), {
          name: "capped",
        }),
        step(orderInputs({ effect: "unknown" }, { holdings: undefined }), { name: "open" }),
        step(undefined, { name: "gone", op: "delete", old: paid }),
        step(orderInputs(bought({ effect: "extend", price: 14 }), { country: undefined }), {
          ...{ ...extension, name: "through" },
        }),
        step(
          orderInputs(
            { effect: "autoExtend", pricePerCycle: 7, currency: "USD" },
            { ipAddressIds: ["1", "2", "3", "4", "5"] },
          ),
          { ...autoExtension, name: "keep" },
        ),
      ],
      { same: 1 },
    );
    const { stdout } = await runCli(["cost", "-", "--markdown"], { input });
    const comment = shown.map((line) => line.replace(/^> ?/, "")).join("\n");
    expect(stdout).toBe(`<!-- pulumi-proxyrental:cost tag -->\n\n${comment}`);
  });

  test("says what is used of a monthly budget, what this run takes, and what is left", async () => {
    const budget = { monthly: 500, spent: 436.99 };
    const planned = step(orderInputs(bought({ price: 58.01, budget })), { name: "a" });
    const capped = step(orderInputs({ effect: "unknown", priceAtMost: 4, budget }), { name: "b" });
    expect((await cost([planned])).stdout).toContain(
      "\nMonthly budget of 500.00 USD: 436.99 USD used, 58.01 USD by this run, 5.00 USD left.\n",
    );
    expect((await cost([planned, capped], "--markdown")).stdout).toContain(
      "- Monthly budget of 500.00 USD: 436.99 USD used, at most 62.01 USD by this run, at least 1.00 USD left.\n",
    );
    const open = step(orderInputs({ effect: "unknown", budget }), { name: "c" });
    expect((await cost([planned, capped, open])).stdout).toContain(
      "\nBalance: 1000.00 USD before, at most 941.99 USD after.\nMonthly budget of 500.00 USD: 436.99 USD used, at least 58.01 USD by this run, at most 5.00 USD left.\n",
    );
    const silent = step(orderInputs(bought({ budget: { monthly: 500 } })));
    expect((await cost([silent])).stdout).toContain(
      "\nMonthly budget of 500.00 USD: 7.00 USD by this run; the plan does not tell what is used (proxyrental:showBalance is false).\n",
    );
    const ofMachine = { ...budget, isShared: false };
    const local = step(orderInputs(bought({ price: 58.01, budget: ofMachine })), { name: "d" });
    expect((await cost([local])).stdout).toContain(
      " 5.00 USD left (the journal counts the purchases of one machine only).\n",
    );
    const { stdout } = await cost([planned, capped], "--json");
    expect(JSON.parse(stdout).budget).toEqual({
      ...{ currency: "USD", monthly: 500, spent: 436.99 },
      ...{ thisRun: 62.01, thisRunIs: "atMost", left: 1, leftIs: "atLeast", isShared: true },
    });
  });

  test("prints it as JSON", async () => {
    const { exitCode, stdout } = await cost(everything, "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      sums: [{ currency: "USD", price: 39.2, atMost: 44.2 }],
      unpriced: ["g-open"],
      balance: { currency: "USD", before: 1000, after: 960.8, afterIs: "atMost" },
      renewals: [{ name: "j-keep", pricePerCycle: 7, currency: "USD", rentPeriodDays: 30 }],
      monthly: { renewing: [{ before: 0, after: 7 }] },
      hiddenCount: 2,
    });
  });

  test("keeps currencies apart, and says so if nothing is spent", async () => {
    const euro = step(orderInputs(bought({ currency: "EUR", price: 9 })), { name: "other" });
    expect((await cost([step(paid), euro])).stdout).toContain("spends 7.00 USD and 9.00 EUR.");
    expect((await cost([])).stdout).toMatch(/^This run spends nothing\.\n\n2 unchanged/);
  });

  const limits: [limit: string, steps: StepText[], exitCode: number][] = [
    ["7", [step(paid)], 0],
    ["6.99", [step(paid)], 2],
    ["0", [], 0],
    ["44.2", everything.filter(({ urn }) => !urn.endsWith("g-open")), 0],
    ["44.19", everything.filter(({ urn }) => !urn.endsWith("g-open")), 2],
    ["1000000", everything, 2],
  ];
  test.each(limits)("--fail-above %s", async (limit, steps, exitCode) => {
    for (const format of [[], ["--markdown"], ["--json"]]) {
      const outcome = await cost(steps, "--fail-above", limit, ...format);
      expect(outcome.exitCode).toBe(exitCode);
      expect(outcome.stdout).not.toBe("");
      expect(outcome.stderr).toMatch(
        exitCode === 0 ? /^$/ : /^Above --fail-above [\d.]+: this run/,
      );
    }
  });

  test.each(["", "-1", "1e3", "7,50", "much"])("refuses the limit %j", async (limit) => {
    const { exitCode, stdout, stderr } = await cost([], `--fail-above=${limit}`);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("Give an amount in account currency");
  });
});

describe("a wrong file is an error that says what is expected", () => {
  const EXPECTED =
    "what `pulumi preview --json` writes is expected (`-` reads it from standard input)";
  const event = { sequence: 0, timestamp: 1, preludeEvent: { config: { "fleet:token": HUSH } } };

  test.each([
    ["no JSON", HUSH],
    ["nothing", ""],
    ["a list", `["${HUSH}"]`],
    ["an exported state", exportText([])],
    ["a plan file", JSON.stringify({ manifest: {}, resourcePlans: { [HUSH]: {} } })],
    ["the log of an update", [event, event].map((line) => JSON.stringify(line)).join("\n")],
    ["one event of such a log", JSON.stringify(event)],
    ["steps of the wrong form", JSON.stringify({ steps: [HUSH], changeSummary: {} })],
  ])("%s", async (_what, content) => {
    const file = join(await makeTemporaryFolder(), "preview.json");
    await writeFile(file, content);
    const { exitCode, stdout, stderr } = await runCli(["cost", file, "--fail-above", "1"]);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(`error: ${file} is no preview: ${EXPECTED}`);
  });

  test("a missing file, no file, and two forms at once", async () => {
    const missing = await runCli(["cost", "/nowhere/preview.json"]);
    expect(missing).toMatchObject({ exitCode: 1, stdout: "" });
    expect(missing.stderr).toBe(`error: /nowhere/preview.json can't be read (ENOENT): ${EXPECTED}`);
    const none = await runCli(["cost"]);
    expect(none).toMatchObject({ exitCode: 1, stderr: `error: no preview was given: ${EXPECTED}` });
    const both = await runCli(["cost", "-", "--json", "--markdown"]);
    expect(both).toMatchObject({ exitCode: 1, stdout: "" });
  });

  test("a failed preview: the error names the file and repeats nothing of it", async () => {
    const urn = `urn:pulumi:dev::fleet::${dynamic("ProxyOrder")}::fleet`;
    const failed = {
      urn,
      severity: "error",
      message: `property goal value {${HUSH}} has a problem`,
    };
    const warning = { urn, severity: "warning", message: HUSH };
    const run = (diagnostics: object[]) =>
      runCli(["cost", "-", "--json"], { input: previewText([step(paid)], { diagnostics }) });
    const at = await run([warning, failed, failed]);
    expect(at).toMatchObject({ exitCode: 1, stdout: "" });
    expect(at.stderr).toBe(
      "error: the preview in standard input has failed at fleet, so what it would spend is not known; run `pulumi preview` without --json to read why",
    );
    const nowhere = await run([{ severity: "error", message: "error: preview failed" }]);
    expect(nowhere.stderr).toContain("the preview in standard input has failed, so what");
    expect((await run([warning])).exitCode).toBe(0);
  });

  test("a YAML program that is wrong: its preview has no error, and ends before the plan", async () => {
    const run = (message: string) =>
      runCli(["cost", "-"], {
        input: previewText([], { diagnostics: [{ severity: "info#err", message }] }),
      });
    const wrong = await run("\u001b[31mError\u001b[0m: Property maxprice does not exist\n\n");
    expect(wrong).toMatchObject({ exitCode: 1, stdout: "" });
    expect(wrong.stderr).toContain("the preview in standard input has failed, so what");
    expect((await run("a word of the program\n")).exitCode).toBe(0);
  });

  test("a preview whose refresh has failed: it never came to a plan, so it counts nothing", async () => {
    const refreshed = step(paid, { op: "refresh", old: paid });
    const error = (message: string, urn?: string) => ({ urn, message, severity: "error" });
    const { changeSummary: _, ...failed } = JSON.parse(
      previewText([refreshed], {
        diagnostics: [error(`error: Preview failed: ${HUSH}\n`, refreshed.urn), error(HUSH)],
      }),
    );
    const run = (document: object) =>
      runCli(["cost", "-", "--fail-above", "1"], { input: JSON.stringify(document) });
    const outcome = await run(failed);
    expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
    expect(outcome.stderr).toBe(
      "error: the preview in standard input has failed at fleet, so what it would spend is not known; run `pulumi preview` without --json to read why",
    );
    const { stderr } = await run({ ...failed, diagnostics: [] });
    expect(stderr).toBe(`error: standard input is no preview: ${EXPECTED}`);
  });
});
