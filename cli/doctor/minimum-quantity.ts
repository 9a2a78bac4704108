import { type ProxyType, proxyTypes } from "../../provider/client/index.ts";
import type { Catalogue } from "./catalogue-reading.ts";
import type { Found } from "./findings.ts";
import { notSeen, type OpenAnswers } from "./open-answers.ts";
import { calculate, findSample, isAccepted } from "./purchasable.ts";
import type { RawCaller } from "./raw-calls.ts";

/** What is tried until one is accepted. Then the least is looked for below it. */
const TRIED = [1, 2, 5, 10, 20, 50, 100, 200];

/** The least order of each type, as far as it could be found. */
export interface MinimumReading {
  minimumQuantity: OpenAnswers["minimumQuantity"];
  found: Found[];
}

/** Finds the least order of each type by asking for prices. */
export async function findMinimum(calls: RawCaller, catalogue: Catalogue): Promise<MinimumReading> {
  const least: Partial<Record<ProxyType, number>> = {};
  const found: Found[] = [];
  for (const proxyType of proxyTypes) {
    const outcome = await findLeast(calls, catalogue, proxyType);
    if (outcome === undefined) continue;
    if ("least" in outcome) least[proxyType] = outcome.least;
    else found.push(outcome);
  }
  const types = Object.keys(least);
  if (types.length === 0)
    return { minimumQuantity: notSeen("no order was accepted by a calculation"), found };
  const how = `by calculations of ${types.join(", ")} in one country each`;
  return { minimumQuantity: { answer: least, how }, found };
}

async function findLeast(
  calls: RawCaller,
  catalogue: Catalogue,
  proxyType: ProxyType,
): Promise<{ least: number } | Found | undefined> {
  const sample = findSample(catalogue, proxyType);
  if (sample === undefined) return undefined;
  let why = "";
  const accepts = async (quantity: number) => {
    const exchange = await calculate(calls, catalogue, { ...sample, quantity });
    why =
      exchange.error?.message ??
      describeWarnings(exchange.answer?.warnings ?? []) ??
      "it gives no price";
    return isAccepted(exchange);
  };
  let refused = 0;
  let accepted: number | undefined;
  for (const quantity of TRIED) {
    if (await accepts(quantity)) {
      accepted = quantity;
      break;
    }
    refused = quantity;
  }
  if (accepted === undefined) {
    const where = `${sample.rentPeriodDays} days in ${sample.country}`;
    return {
      about: "calculation",
      mark: "look",
      text: `No calculation of ${proxyType} for ${where} was accepted, with quantities from 1 to ${refused}: ${why}.`,
    };
  }
  while (accepted - refused > 1) {
    const middle = Math.floor((accepted + refused) / 2);
    if (await accepts(middle)) accepted = middle;
    else refused = middle;
  }
  return { least: accepted };
}

function describeWarnings(
  warnings: readonly { code: number; message: string }[],
): string | undefined {
  const [first] = warnings;
  return first && `a warning says code ${first.code}, "${first.message}"`;
}
