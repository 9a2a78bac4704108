import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFocus } from "../../../cli/cost/focus.ts";
import { readPreviews } from "../../../cli/cost/previews.ts";
import { createReport } from "../../../cli/cost/report.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { runCli } from "../command.ts";
import {
  bought,
  dynamic,
  orderInputs,
  type StepText,
  step,
  writePreview,
} from "./preview-document.ts";

const paid = orderInputs(bought());
const now = new Date("2026-12-05T10:20:30.456Z");

async function focusOf(steps: readonly StepText[]) {
  return writeFocus(createReport(await readPreviews([await writePreview(steps)], [])), now);
}

/** The columns of FOCUS 1.2 that are mandatory, or recommended and filled here. */
const header =
  "BilledCost,BillingAccountId,BillingAccountName,BillingCurrency,BillingPeriodEnd,BillingPeriodStart,ChargeCategory,ChargeClass,ChargeDescription,ChargeFrequency,ChargePeriodEnd,ChargePeriodStart,ConsumedQuantity,ConsumedUnit,ContractedCost,EffectiveCost,InvoiceIssuerName,ListCost,PricingCategory,PricingQuantity,PricingUnit,ProviderName,PublisherName,RegionId,RegionName,ResourceId,ResourceName,ResourceType,ServiceCategory,ServiceName,ServiceSubcategory,SubAccountId,SubAccountName,Tags";

test("a priced purchase is one row of FOCUS", async () => {
  const urn = `urn:pulumi:dev::fleet::${dynamic("ProxyOrder")}::a`;
  const { csv, rowCount, left } = await focusOf([
    step(orderInputs(bought({ price: 6.3, discount: 10 })), { name: "a" }),
  ]);
  expect([rowCount, left]).toEqual([1, []]);
  expect(csv.split("\n")).toEqual([
    header,
    [
      "6.3,,,USD,2027-01-01T00:00:00Z,2026-12-01T00:00:00Z,Purchase,",
      '"Planned: 5 IPv4 proxies in USA, 30 days"',
      "One-Time,2027-01-04T10:20:30Z,2026-12-05T10:20:30Z,,,6.3,6.3,Proxy Rental Service,7,Standard,5,Proxies",
      "Proxy Rental Service,Proxy Rental Service,USA,",
      urn,
      "a,ProxyOrder,Networking,Proxy rental,Other (Networking),,",
      '"{""pulumi:project"":""fleet"",""pulumi:stack"":""dev"",""proxyrental:action"":""buy"",""proxyrental:proxyType"":""IPv4""}"',
    ].join(","),
    "",
  ]);
});

test("what is not bought, or has no price, has no row, and the second is named", async () => {
  const { rowCount, left } = await focusOf([
    step(paid, { name: "a" }),
    step(orderInputs({ effect: "unknown", priceAtMost: 5 }), { name: "capped" }),
    step(orderInputs({ effect: "unknown" }), { name: "open" }),
    step(orderInputs({ effect: "adopt" }), { name: "adopted" }),
    step(undefined, { op: "delete", old: paid, name: "gone" }),
    step(orderInputs(bought({ effect: "extend", price: 14 })), {
      ...{ type: dynamic("IpExtension"), name: "through" },
    }),
  ]);
  expect([rowCount, left]).toEqual([2, ["capped", "open"]]);
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("https://x.example","a")'])(
  "the name %j is no formula in a spreadsheet, and no second row",
  async (name) => {
    const { csv } = await focusOf([step(paid, { name })]);
    const quoted = /["\r]/.test(name) ? `"'${name.replaceAll('"', '""')}"` : `'${name}`;
    expect(csv).toContain(`,${quoted},ProxyOrder,`);
    expect(csv).not.toContain(`,${name}`);
  },
);

test("--focus writes the file, beside the usual output", async () => {
  const preview = await writePreview([
    step(paid, { name: "a" }),
    step(orderInputs({ effect: "unknown" }), { name: "open" }),
  ]);
  const file = join(await makeTemporaryFolder(), "focus.csv");
  const { exitCode, stdout, stderr } = await runCli(["cost", preview, "--focus", file, "--json"]);
  expect([exitCode, stderr]).toEqual([
    0,
    `${file} has 1 purchase; without a price, so left out: open.`,
  ]);
  expect(JSON.parse(stdout).purchases).toHaveLength(2);
  expect((await readFile(file, "utf8")).split("\n")).toHaveLength(3);
});

test("--focus never writes over a preview, and says where it can't write", async () => {
  const preview = await writePreview([step(paid)]);
  const before = await readFile(preview, "utf8");
  const over = await runCli(["cost", preview, "--focus", preview]);
  expect(over.stderr).toBe(
    `error: --focus ${preview} would write over a preview: name another file`,
  );
  expect(await readFile(preview, "utf8")).toBe(before);
  const nowhere = await runCli(["cost", preview, "--focus", "/nowhere/focus.csv"]);
  expect(nowhere.exitCode).toBe(1);
  expect(nowhere.stderr).toContain("/nowhere/focus.csv can't be written (ENOENT)");
  expect((await runCli(["cost", preview, "--focus", ""])).exitCode).toBe(1);
});
