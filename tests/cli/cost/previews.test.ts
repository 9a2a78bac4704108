import { describe, expect, test } from "vitest";
import { runCli } from "../command.ts";
import {
  bought,
  dynamic,
  HUSH,
  orderInputs,
  type PreviewOptions,
  type StepText,
  step,
  writePreview,
} from "./preview-document.ts";

const paid = orderInputs(bought());
const tainted = { op: "replace", old: paid, reasons: ["id"] };
const renewal = step(
  orderInputs({ effect: "autoExtend", pricePerCycle: 7, currency: "USD" }, { ipAddressIds: ["1"] }),
  { type: dynamic("IpAutoExtend"), name: "keep" },
);

/** Runs `cost` with one preview by its position, and the others by flags. */
async function cost(files: readonly string[], ...flags: string[]) {
  const [first = "", ...others] = files;
  const args = others.flatMap((file) => ["--preview", file]);
  const outcome = await runCli(["cost", first, ...args, ...flags]);
  expect(outcome.stdout + outcome.stderr).not.toContain(HUSH);
  return outcome;
}

function write(stack: string, steps: readonly StepText[], more: PreviewOptions = {}) {
  return writePreview(steps, { stack, ...more });
}

describe("several previews, one a stack", () => {
  test("are one table, whose sums are over all, and whose balance is that of the shared account", async () => {
    const eu = await write("eu", [step(paid, { name: "a" }), renewal]);
    const us = await write("us", [
      step(orderInputs(bought({ price: 3, balance: 1000 })), { name: "b", ...tainted }),
      step(orderInputs({ effect: "unknown" }, { holdings: undefined }), { name: "open" }),
    ]);
    const { exitCode, stdout } = await cost([eu, us]);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      `These 2 runs spend 10.00 USD, and a price that nobody knows yet.

STACK  RESOURCE  PLAN      WHAT                            PAID NOW  PAID LATER
eu     a         buys      5 IPv4 proxies in USA, 30 days  7.00 USD
eu     keep      renews    1 IPv4 proxy, 30 days                     7.00 USD every 30 days
us     b         replaces  5 IPv4 proxies in USA, 30 days  3.00 USD
us     open      may buy   IPv4 proxies in USA, 30 days    unknown

b in us is replaced although no argument asks for it (--target-replace, \`pulumi state taint\`, or replacementTrigger): what it holds stays paid, and is bought again.
No price yet, and no maxPrice to count instead: open in us. The figures below are without.
Balance: 1000.00 USD before, at most 990.00 USD after.
Held, per 30 days: 7.00 USD before, 10.00 USD and what is not known yet after.
Renews by itself, per 30 days: 0.00 USD before, 7.00 USD after; never part of the sum above.
Not in the figures per 30 days, since their price is not told: open in us.`,
    );
    const markdown = (await cost([eu, us], "--markdown")).stdout;
    expect(markdown).toContain("| stack | resource | plan | what | paid now | paid later |");
    expect(markdown).toContain("| `us` | `open` | may buy |");
    expect(markdown).toContain("instead: `open` in `us`.");
  });

  test("may all be given by the flag", async () => {
    const eu = await write("eu", [step(paid)]);
    const us = await write("us", [step(paid)]);
    const flagged = await runCli(["cost", "--preview", eu, "--preview", us]);
    expect(flagged).toMatchObject({ exitCode: 0, stdout: (await cost([eu, us])).stdout });
    const one = await runCli(["cost", "--preview", eu]);
    expect(one.stdout).toBe((await cost([eu])).stdout);
  });

  test("if the balances differ, the lowest counts: something was paid between two previews", async () => {
    const eu = await write("eu", [step(paid)]);
    const us = await write("us", [step(orderInputs(bought({ balance: 950 })))]);
    expect((await cost([eu, us])).stdout).toContain(
      "Balance: 950.00 USD before, 936.00 USD after.",
    );
  });

  test("of several currencies keep sums, balances and budgets apart", async () => {
    const budget = { monthly: 100, spent: 10 };
    const eu = await write("eu", [
      step(orderInputs(bought({ price: 9, currency: "EUR", balance: 50, budget }))),
    ]);
    const us = await write("us", [step(orderInputs(bought({ budget })))]);
    const us2 = await write("us2", [
      step(orderInputs(bought({ budget: { ...budget, spent: 12 } }))),
    ]);
    const { stdout } = await cost([eu, us, us2]);
    expect(stdout).toContain("These 3 runs spend 9.00 EUR and 14.00 USD.");
    expect(stdout).toContain("Balance: 50.00 EUR before, 41.00 EUR after.");
    expect(stdout).toContain("Balance: 1000.00 USD before, 986.00 USD after.");
    expect(stdout).toContain(
      "Monthly budget of 100.00 EUR: 10.00 EUR used, 9.00 EUR by this run, 81.00 EUR left.",
    );
    expect(stdout).toContain(
      "Monthly budget of 100.00 USD: 12.00 USD used, 14.00 USD by this run, 74.00 USD left.",
    );
  });

  test("a cap counts in the currency of its own stack, then in that of all", async () => {
    const capped = step(orderInputs({ effect: "unknown", priceAtMost: 5 }), { name: "capped" });
    const alone = await write("alone", [capped]);
    const us = await write("us", [step(paid)]);
    const eu = await write("eu", [
      step(orderInputs(bought({ price: 9, currency: "EUR" }))),
      capped,
    ]);
    expect((await cost([alone, us])).stdout).toContain("spend 7.00 USD, at most 12.00 USD.");
    expect((await cost([eu, us])).stdout).toContain(
      "spend 9.00 EUR, at most 14.00 EUR and 7.00 USD.",
    );
    const none = await cost([alone, eu, us], "--fail-above", "18.99");
    expect(none.stderr).toBe(
      "Above --fail-above 18.99: these 3 runs may spend 5.00 and 14.00 EUR and 7.00 USD.",
    );
  });

  test("are named by stack and project where there are several projects, and by file if nothing names them", async () => {
    const fleet = await write("dev", [step(paid)]);
    const other = await write("dev", [step(paid)], { project: "scraper" });
    const empty = await write("silent", [], { hidesSames: true, same: 4 });
    const { stdout } = await cost([fleet, other, empty], "--json");
    const { stacks } = JSON.parse(stdout);
    expect(stacks).toMatchObject([
      { label: "fleet/dev", project: "fleet", stack: "dev", file: fleet },
      { label: "scraper/dev", project: "scraper", stack: "dev", file: other },
      { label: empty, hiddenCount: 4, purchases: [] },
    ]);
    expect((await cost([fleet, other])).stdout).toMatch(/^scraper\/dev +fleet +buys/m);
    expect((await cost([empty])).exitCode).toBe(0);
  });

  test("as JSON: each stack with its cost, and a total that alone has the account's figures", async () => {
    const eu = await write("eu", [step(paid, { name: "a" })]);
    const us = await write("us", [step(orderInputs({ effect: "unknown" }), { name: "open" })]);
    const document = JSON.parse((await cost([eu, us], "--json")).stdout);
    expect(document.stacks.map((stack: object) => Object.keys(stack))).toEqual(
      Array(2).fill([
        ...["label", "file", "project", "stack", "purchases", "renewals", "sums", "unpriced"],
        ...["monthly", "hiddenCount"],
      ]),
    );
    expect(document.total).toEqual({
      sums: [{ currency: "USD", price: 7, atMost: 7 }],
      unpriced: [{ stack: "us", name: "open" }],
      balances: [{ currency: "USD", before: 1000, after: 993, afterIs: "atMost" }],
      budgets: [],
      monthly: {
        held: [{ currency: "USD", before: 0, after: 7, isAfterOpen: true }],
        renewing: [],
      },
      hiddenCount: 0,
    });
  });

  test("given twice, as a file or as a stack, are an error", async () => {
    const eu = await write("eu", [step(paid)]);
    const again = await write("eu", [step(paid)]);
    const folder = eu.slice(0, eu.lastIndexOf("/"));
    expect(await cost([eu, `${folder}/./eu.json`])).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: `error: ${folder}/./eu.json is given twice: give each preview once`,
    });
    expect(await cost([eu, again])).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: `error: ${eu} and ${again} are both previews of the stack fleet/eu: give one preview a stack`,
    });
    const input = await runCli(["cost", "-", "--preview", "-"], { input: "" });
    expect(input.stderr).toBe("error: standard input is given twice: give each preview once");
    const base = await cost([eu], "--base", eu);
    expect(base).toMatchObject({ exitCode: 1, stdout: "" });
    const bases = await cost([eu], "--base", again, "--base", await write("eu", []));
    expect(bases.stderr).toContain("are both previews of the stack fleet/eu");
  });
});

describe("--base", () => {
  const held = (price: number, name: string) =>
    step(
      orderInputs({
        effect: "none",
        owned: { price, quantity: 5, rentPeriodDays: 30, currency: "USD" },
      }),
      {
        ...{ name, op: "same", old: paid },
      },
    );

  test("puts what is held on the base branch beside what is held now", async () => {
    const base = await write("eu", [held(28, "a")]);
    const eu = await write("eu", [
      held(28, "a"),
      step(orderInputs(bought({ price: 4.2 })), { name: "b" }),
    ]);
    const { stdout } = await cost([eu], "--base", base);
    expect(stdout).toContain(`Held per 30 days, beside the base branch:

BASE       PROPOSED   DIFFERENCE
28.00 USD  32.20 USD  +4.20 USD (+15 %)`);
    const markdown = (await cost([eu], "--base", base, "--markdown")).stdout;
    expect(markdown).toContain(`Held per 30 days, beside the base branch:

| base | proposed | difference |
| ---: | ---: | ---: |
| 28.00 USD | 32.20 USD | +4.20 USD (+15 %) |`);
    const { heldAgainstBase } = JSON.parse((await cost([eu], "--base", base, "--json")).stdout);
    expect(heldAgainstBase).toEqual([
      {
        ...{ currency: "USD", base: 28, isBaseOpen: false, proposed: 32.2, isProposedOpen: false },
        ...{ difference: 4.2, percent: 15 },
      },
    ]);
  });

  test("is matched by stack, and a stack without one is new", async () => {
    const bases = [await write("us", [held(10, "u")]), await write("eu", [held(20, "e")])];
    const files = [
      await write("eu", [held(10, "e")]),
      await write("us", [held(10, "u")]),
      await write("asia", [held(7, "a")]),
    ];
    const flags = bases.flatMap((base) => ["--base", base]);
    expect((await cost(files, ...flags)).stdout).toContain(
      `STACK       BASE       PROPOSED   DIFFERENCE
eu          20.00 USD  10.00 USD  -10.00 USD (-50 %)
us          10.00 USD  10.00 USD  0.00 USD
asia (new)  0.00 USD   7.00 USD   +7.00 USD
all 3       30.00 USD  27.00 USD  -3.00 USD (-10 %)`,
    );
    const document = JSON.parse((await cost(files, ...flags, "--json")).stdout);
    expect(document.total.heldAgainstBase).toMatchObject([{ difference: -3, percent: -10 }]);
    expect(document.stacks[2].heldAgainstBase).toMatchObject([{ base: 0, difference: 7 }]);
    const first = await cost(files.slice(0, 1), ...flags);
    expect(first.stderr).toBe(
      `error: --base ${bases[0]} is of the stack fleet/us, of which no preview is given: give it with --preview, or leave this base out`,
    );
  });

  test("tells no difference where a part is not told", async () => {
    const eu = await write("eu", [held(10, "e")]);
    const hidden = await write("eu", [held(10, "e")], { same: 5 });
    expect((await cost([eu], "--base", hidden)).stdout).toContain(
      `10.00 USD and what is not known yet  10.00 USD  not known yet`,
    );
    const silent = await write("eu", [], { hidesSames: true });
    expect((await cost([eu], "--base", silent)).stderr).toBe(
      `error: ${silent} lists no step, so it does not name its stack and can't be compared with --base: preview with --show-sames`,
    );
  });
});
