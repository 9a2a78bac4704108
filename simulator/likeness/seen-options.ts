import type { CatalogueOptions } from "../catalogue/catalogue-file.ts";
import { type OpenAnswers, presets, resolveOpenQuestions } from "../open-questions.ts";
import type { SimulatorOptions } from "../settings.ts";
import type { Recording } from "./recording-file.ts";

/** The options of a simulator that behaves as an account was seen to. What is named besides wins. */
export function likeRecording(recording: Recording, options: SimulatorOptions): SimulatorOptions {
  const { preset, catalogue, ...rest } = options;
  // A wrong name is told.
  resolveOpenQuestions({ preset });
  const named = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return {
    ...answersOf(recording),
    balance: recording.money.balance,
    currency: recording.money.currency,
    ...(preset && presets[preset]),
    ...named,
    catalogue: mergeCatalogues(catalogueOf(recording), catalogue),
  };
}

/** What was seen; where only a lower bound was, the mildest answer that keeps it. */
function answersOf({ answers }: Recording): OpenAnswers {
  const seen = Object.fromEntries(
    Object.entries(answers).flatMap(([question, { answer }]) =>
      answer === null ? [] : [[question, answer]],
    ),
  );
  const mildest = resolveOpenQuestions({});
  // A delivery that was awaited may also have been proxies that are gone: its bound is not followed.
  return {
    pageCap: Math.max(mildest.pageCap, Math.floor(answers.pageCap.atLeast ?? 0)),
    dateEndDelayMs: Math.max(
      mildest.dateEndDelayMs,
      Math.ceil(answers.dateEndDelayMs.atLeast ?? 0),
    ),
    ...seen,
  };
}

const alpha3 = /^[A-Z]{3}$/;

/** Leaves out what a catalogue can't have. */
function catalogueOf({
  countries,
  rentPeriodDays,
  mobileOperators,
  promoCodes,
  prices,
}: Recording): CatalogueOptions {
  return {
    countries: mapValues(countries, (list) =>
      list.filter(({ alpha3code }) => alpha3.test(alpha3code)),
    ),
    rentPeriodDays: mapValues(rentPeriodDays, (list) =>
      list.filter((days) => Number.isInteger(days) && days >= 1 && days <= 3650),
    ),
    mobileOperators: Object.fromEntries(
      Object.entries(mobileOperators).filter(([code]) => alpha3.test(code)),
    ),
    promoCodes: promoCodes.map(({ startDate: _, endDate: __, ...promo }) => promo),
    prices: { seen: prices },
  };
}

function mapValues<Key extends string, Value>(
  record: Readonly<Record<Key, Value>>,
  map: (value: Value) => Value,
) {
  return Object.fromEntries(
    Object.entries<Value>(record).map(([key, value]) => [key, map(value)]),
  ) as Record<Key, Value>;
}

function mergeCatalogues(base: CatalogueOptions, given: CatalogueOptions = {}): CatalogueOptions {
  return {
    ...base,
    ...given,
    countries: { ...base.countries, ...given.countries },
    rentPeriodDays: { ...base.rentPeriodDays, ...given.rentPeriodDays },
    // Prices that are named would never be asked for beside those that were seen.
    prices: given.prices ?? base.prices,
  };
}
