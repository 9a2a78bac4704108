import { describe, expect, it } from "vitest";
import { runCli } from "../cli/command.ts";
import { startForTest } from "../simulator/start.ts";
import { output } from "../support/program.ts";
import { typescriptOnPlugin, writerFor } from "../support/program-writer.ts";
import { createStack } from "../support/stack.ts";

const start = "2026-03-01T12:00:00Z";

describe.each([
  ["dynamic resources", writerFor("dynamic")],
  ["the plugin", typescriptOnPlugin],
] as const)("on %s", (_host, writer) => {
  const { on, autoExtension, extension, laterValue, order, program } = writer;

  it("a preview ends with all that the run may spend, as cost says it too, and up with what it has spent", async () => {
    const simulator = await startForTest({ now: () => new Date(start) });
    const stack = await createStack({
      ...on,
      simulator,
      spawned: true,
      program: program(
        laterValue("size", 3),
        order("usa"),
        order("sized", { quantity: output("size.value"), maxPrice: 6 }),
        extension("longer", "usa", "2026-04-29", { maxPrice: 60 }),
        autoExtension("renew", "usa"),
      ),
    });
    const before = Number(simulator.balance());
    const document = (await stack.run("preview --json")).stdout;
    expect((await runCli(["cost", "-"], { input: document })).stdout.split("\n")).toEqual(
      expect.arrayContaining([
        "This run spends 7.00 USD, at most 73.00 USD.",
        "Balance: 1000.00 USD before, at least 927.00 USD after.",
        "Renews by itself, per 30 days: 0.00 USD before, up to 7.00 USD and what is not known yet after; never part of the sum above.",
      ]),
    );
    const preview = await stack.succeed("preview");

    expect(lastWords(preview)).toEqual([
      "The plan, resource by resource:",
      "  longer: may extend IPv4 proxies to at least 2026-04-29, price not known yet; at most 60.00 USD (maxPrice)",
      "  renew: will extend IPv4 proxies by 30 days each time they end; which ones is not known yet",
      "  sized: may buy IPv4 proxies in USA for 30 days, price not known yet; at most 6.00 USD (maxPrice)",
      "  usa: buys 5 IPv4 proxies in USA for 30 days for 7.00 USD; bought now, it is paid until about 2026-03-31",
      "In all: 1 purchase for 7.00 USD, and 2 purchases at a price that is not known yet, at most 66.00 USD: at most 73.00 USD together.",
      "Renews by itself, per 30 days: up to 7.00 USD and what is not known yet; never part of the sum above.",
      "Balance: 1000.00 USD now, at least 927.00 USD after.",
    ]);
    const up = await stack.succeed("up");

    const spent = before - Number(simulator.balance());
    expect(spent).toBeLessThanOrEqual(73);
    expect(up).not.toContain("would be paid");
    const receipts = lastWords(up);
    expect(receipts.at(-1)).toBe(
      `In all: bought 3 for ${spent.toFixed(2)} USD. Balance now: ${simulator.balance()} USD.`,
    );
    expect(await stack.succeed("preview")).not.toContain("Diagnostics");
  });
});

/** The lines at the end of all that is told, before the engine's own count of resources. */
function lastWords(text: string): string[] {
  const told = text.slice(text.lastIndexOf("Diagnostics:"), text.lastIndexOf("Resources:"));
  const [, stack = "", ...lines] = told.trim().split("\n");
  expect(stack).toContain("pulumi:pulumi:Stack");
  return lines.map((line) => line.replace(/^ {4}/, ""));
}
