import { stringify } from "csv-stringify/sync";
import { beforeDiscount } from "../../provider/core/values/money.ts";
import { machineTime } from "../../provider/journals/machine-time.ts";
import { writeGivenFile } from "../given-file.ts";
import { makePrintable } from "../table.ts";
import { describeProxies } from "./cost-words.ts";
import type { Purchase } from "./planned-cost.ts";
import type { PlannedResource } from "./preview-file.ts";
import type { CostReport, StackCost } from "./report.ts";
import type { StackName } from "./stack-name.ts";

/** Who sells, delivers and invoices: for a rented proxy it is one. */
const SELLER = "Proxy Rental Service";

/**
 * The columns of FOCUS 1.2 that a plan can fill, by name. `BillingAccountId` is empty, because no plan tells the account:
 * the only name of it is its key.
 */
const columns = [
  ...["BilledCost", "BillingAccountId", "BillingAccountName", "BillingCurrency"],
  ...["BillingPeriodEnd", "BillingPeriodStart", "ChargeCategory", "ChargeClass"],
  ...["ChargeDescription", "ChargeFrequency", "ChargePeriodEnd", "ChargePeriodStart"],
  ...["ConsumedQuantity", "ConsumedUnit", "ContractedCost", "EffectiveCost", "InvoiceIssuerName"],
  ...["ListCost", "PricingCategory", "PricingQuantity", "PricingUnit", "ProviderName"],
  ...["PublisherName", "RegionId", "RegionName", "ResourceId", "ResourceName", "ResourceType"],
  ...["ServiceCategory", "ServiceName", "ServiceSubcategory", "SubAccountId", "SubAccountName"],
  "Tags",
] as const;

type FocusRow = Partial<Record<(typeof columns)[number], string | number>>;

/** What is to be written, and the names of what has no price yet, which no row can stand for. */
export interface Focus {
  csv: string;
  rowCount: number;
  left: string[];
}

/** Writes the file, and returns what is in it, in one sentence. An earlier file of this name is written over. */
export async function saveFocus(
  file: string,
  report: CostReport,
  redact: (text: string) => string,
): Promise<string> {
  const { csv, rowCount, left } = writeFocus(report, machineTime.now());
  await writeGivenFile(file, redact(csv));
  const rows = rowCount === 1 ? "1 purchase" : `${rowCount} purchases`;
  const without = left.length === 0 ? "" : `; without a price, so left out: ${left.join(", ")}`;
  return `${file} has ${rows}${without}.`;
}

/**
 * Writes planned purchases as FOCUS 1.2 does charges: one row for each priced purchase.
 * @param now when the purchases are taken to be made
 */
export function writeFocus(report: CostReport, now: Date): Focus {
  const purchases = report.stacks.flatMap((stack) =>
    stack.cost.purchases.map((purchase) => ({ stack, purchase })),
  );
  const rows = purchases.flatMap(({ stack, purchase }) => toFocusRow(stack, purchase, now));
  return {
    csv: stringify(rows, { columns: [...columns], header: true, escape_formulas: true }),
    rowCount: rows.length,
    left: purchases
      .filter(({ purchase: { price } }) => price.kind === "atMost" || price.kind === "unknown")
      .map(({ purchase }) => makePrintable(purchase.name)),
  };
}

function toFocusRow({ stack, resources }: StackCost, purchase: Purchase, now: Date): FocusRow[] {
  const { price, urn, name, quantity, country, rentPeriodDays } = purchase;
  if (price.kind !== "exact") return [];
  const planned = resources.find((resource) => resource.urn === urn);
  const paid = { BilledCost: price.amount, EffectiveCost: price.amount };
  const discount = planned?.after?.quote?.discount ?? 0;
  return [
    {
      ...{ ...paid, ContractedCost: price.amount, BillingCurrency: price.currency },
      ListCost: beforeDiscount(price.amount, discount),
      ...findPeriods(now, rentPeriodDays),
      ...{ ChargeCategory: "Purchase", ChargeFrequency: "One-Time", PricingCategory: "Standard" },
      ChargeDescription: `Planned: ${describeProxies(purchase)}`,
      ...{ PricingQuantity: quantity ?? "", PricingUnit: "Proxies", RegionId: country ?? "" },
      ...{ ProviderName: SELLER, PublisherName: SELLER, InvoiceIssuerName: SELLER },
      ...{ ServiceName: "Proxy rental", ServiceCategory: "Networking" },
      ServiceSubcategory: "Other (Networking)",
      ...{ ResourceId: urn, ResourceName: name, ResourceType: planned?.kind ?? "" },
      Tags: writeTags(purchase, planned, stack),
    },
  ];
}

/** The month of the purchase, and the time that it pays for. An extension begins when its proxies would have ended. */
function findPeriods(now: Date, rentPeriodDays: number | undefined): FocusRow {
  const month = (offset: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset));
  const end = new Date(now);
  end.setUTCDate(end.getUTCDate() + (rentPeriodDays ?? 30));
  return {
    ...{ BillingPeriodStart: formatTime(month(0)), BillingPeriodEnd: formatTime(month(1)) },
    ...{ ChargePeriodStart: formatTime(now), ChargePeriodEnd: formatTime(end) },
  };
}

/** A time as FOCUS writes it: UTC, to the second. */
function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, "2026-03-01T00:00:00".length)}Z`;
}

function writeTags(
  { action, proxyType }: Purchase,
  planned: PlannedResource | undefined,
  stack: StackName | undefined,
): string {
  return JSON.stringify({
    ...(stack && { "pulumi:project": stack.project, "pulumi:stack": stack.stack }),
    "proxyrental:action": planned?.after?.quote?.effect ?? action,
    ...(proxyType && { "proxyrental:proxyType": proxyType }),
  });
}
