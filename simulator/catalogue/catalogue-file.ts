import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Catalogue, proxyTypes } from "./catalogue.ts";
import { defaultCatalogue, nameCountry } from "./default-catalogue.ts";

const ProxyTypeName = z.enum(proxyTypes);
const Alpha3 = z.string().regex(/^[A-Z]{3}$/, "an alpha-3 code such as USA is expected");
const Factor = z.string().regex(/^\d+(\.\d+)?$/, 'a decimal in quotes such as "1.40" is expected');
const Days = z.int().min(1).max(3650);
const Timestamp = z.iso.datetime({ offset: true });

const Country = z.union(
  [Alpha3.transform(nameCountry), z.strictObject({ name: z.string(), alpha3code: Alpha3 })],
  "an alpha-3 code such as USA, or a name with its alpha3code, is expected",
);

const CatalogueFile = z.strictObject({
  countries: z.partialRecord(ProxyTypeName, z.array(Country)).optional(),
  rentPeriodDays: z.partialRecord(ProxyTypeName, z.array(Days)).optional(),
  mobileOperators: z
    .record(
      Alpha3,
      z.array(
        z.strictObject({ mobileOperator: z.string(), rotationTimes: z.array(z.int().min(0)) }),
      ),
    )
    .optional(),
  promoCodes: z
    .array(
      z.strictObject({
        code: z.string().min(1),
        discount: z.number().min(0).max(100),
        countUses: z.int().min(0).default(1000),
        startDate: Timestamp.default("2020-01-01T00:00:00.000+00:00"),
        endDate: Timestamp.default("2099-12-31T23:59:59.999+00:00"),
        endless: z.boolean().default(false),
        descriptionsByLocale: z.record(z.string(), z.string()).default({}),
      }),
    )
    .optional(),
  prices: z
    .strictObject({
      monthly: z.partialRecord(ProxyTypeName, Factor),
      countryFactors: z.record(Alpha3, Factor),
      periodFactors: z.record(z.string().regex(/^\d+$/, "days are expected"), Factor),
      quantityTiers: z.array(z.strictObject({ from: z.int().min(1), factor: Factor })),
      seen: z.array(
        z.strictObject({
          proxyType: ProxyTypeName,
          country: z.string(),
          rentPeriodDays: z.number().min(1),
          quantity: z.number().min(1),
          price: z.number().min(0),
        }),
      ),
    })
    .partial()
    .optional(),
});

/** The differences from the default catalogue. Types and fields that are not named stay. */
export type CatalogueOptions = z.input<typeof CatalogueFile>;

/** Throws a TypeError that names each wrong field and what is accepted. */
export function resolveCatalogue(options: unknown): Catalogue {
  const { data, error } = CatalogueFile.safeParse(options);
  if (data === undefined) throw new TypeError(`This is no catalogue:\n${z.prettifyError(error)}`);
  const { countries, rentPeriodDays, mobileOperators, promoCodes, prices } = data;
  const base = defaultCatalogue;
  return {
    countries: { ...base.countries, ...countries },
    rentPeriodDays: { ...base.rentPeriodDays, ...rentPeriodDays },
    mobileOperators: mobileOperators ?? base.mobileOperators,
    promoCodes: promoCodes ?? base.promoCodes,
    prices: {
      monthly: { ...base.prices.monthly, ...prices?.monthly },
      countryFactors: prices?.countryFactors ?? base.prices.countryFactors,
      periodFactors: prices?.periodFactors ?? base.prices.periodFactors,
      quantityTiers: prices?.quantityTiers ?? base.prices.quantityTiers,
      seen: prices?.seen ?? base.prices.seen,
    },
  };
}

/** Throws a TypeError that names the file and what is wrong with it. */
export function readCatalogueFile(file: string): CatalogueOptions {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new TypeError(
      `The catalogue "${file}" can't be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}
