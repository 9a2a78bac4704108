import { proxyTypes } from "../../provider/client/index.ts";
import type { Catalogue } from "./catalogue-reading.ts";
import type { OpenAnswers } from "./open-answers.ts";
import { calculate, countriesFor, findSample, type Item, isAccepted } from "./purchasable.ts";
import type { RawCaller } from "./raw-calls.ts";
import type { SeenPrice } from "./recording.ts";

/** Large enough that a price rounded to cents tells that of one proxy, and small enough to be accepted. */
const REFERENCE_QUANTITY = 10;

/** At which the price of one proxy may change. */
const QUANTITIES = [1, 10, 25, 50, 100, 500];

/** Asks what orders would cost: of each type in each country, for each period, and in some quantities. Spends nothing. */
export async function surveyPrices(
  calls: RawCaller,
  catalogue: Catalogue,
  { minimumQuantity }: OpenAnswers,
): Promise<SeenPrice[]> {
  const prices: SeenPrice[] = [];
  for (const proxyType of proxyTypes) {
    const sample = findSample(catalogue, proxyType);
    const least = minimumQuantity.answer?.[proxyType];
    if (sample === undefined || least === undefined) continue;
    for (const quantity of [Math.max(least, REFERENCE_QUANTITY), least]) {
      const reference = { ...sample, quantity };
      const price = await askPrice(calls, catalogue, reference);
      if (price === undefined) continue;
      prices.push(price);
      for (const item of listVariants(catalogue, reference, least)) {
        const other = await askPrice(calls, catalogue, item);
        if (other !== undefined) prices.push(other);
      }
      break;
    }
  }
  return prices;
}

/** The same order in each other country, for each other period, and in other quantities. */
function listVariants(catalogue: Catalogue, reference: Item, least: number): Item[] {
  const { proxyType } = reference;
  const quantities = [...new Set([least, ...QUANTITIES])].filter((quantity) => quantity >= least);
  const variants = [
    ...countriesFor(catalogue, proxyType).map((country) => ({ ...reference, country })),
    ...catalogue.rentPeriodDays[proxyType].map((rentPeriodDays) => ({
      ...reference,
      rentPeriodDays,
    })),
    ...quantities.map((quantity) => ({ ...reference, quantity })),
  ];
  return variants.filter(
    ({ country, rentPeriodDays, quantity }) =>
      country !== reference.country ||
      rentPeriodDays !== reference.rentPeriodDays ||
      quantity !== reference.quantity,
  );
}

async function askPrice(
  calls: RawCaller,
  catalogue: Catalogue,
  item: Item,
): Promise<SeenPrice | undefined> {
  const exchange = await calculate(calls, catalogue, item);
  const price = exchange.answer?.price ?? undefined;
  return isAccepted(exchange) && price !== undefined ? { ...item, price } : undefined;
}
