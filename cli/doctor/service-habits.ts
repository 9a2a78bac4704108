import { proxyTypes } from "../../provider/client/index.ts";
import type { Intent } from "../../provider/core/records/intent.ts";
import { compareBalances } from "./balance-check.ts";
import { countTroubles } from "./call-troubles.ts";
import { judgeCodes } from "./catalogue-codes.ts";
import { type Catalogue, readCatalogue } from "./catalogue-reading.ts";
import { compareWithDocument } from "./document-check.ts";
import { readExtensions } from "./extension-forms.ts";
import type { Found } from "./findings.ts";
import { weighPurchases } from "./journal-evidence.ts";
import { findMinimum } from "./minimum-quantity.ts";
import type { OpenAnswers } from "./open-answers.ts";
import { readTwice, type TypeReading } from "./page-reading.ts";
import { answerPageCap, judgePageSize, judgePaging } from "./paging.ts";
import type { RawCaller } from "./raw-calls.ts";
import { judgeForms } from "./record-forms.ts";

/** How the service behaves, as far as reading and calculating show it. */
export interface Habits {
  catalogue: Catalogue;
  readings: readonly TypeReading[];
  /** The service's time, or this machine's where it tells none. */
  now: Date;
  found: Found[];
  answers: OpenAnswers;
}

/** Asks the service all that doctor asks it. Spends nothing. */
export async function observeHabits(calls: RawCaller, intents: readonly Intent[]): Promise<Habits> {
  const { catalogue, ...offered } = await readCatalogue(calls);
  const readings: TypeReading[] = [];
  for (const proxyType of proxyTypes) readings.push(await readTwice(calls, proxyType));
  const minimum = await findMinimum(calls, catalogue);
  const extensions = await readExtensions(calls, catalogue, readings);
  const balance = await compareBalances(calls);
  const { exchanges } = calls;
  const { found: troubles, ...percents } = countTroubles(exchanges);
  const now = exchanges.findLast(({ times }) => times !== undefined)?.times?.service ?? new Date();
  const records = readings.flatMap(({ first }) => first?.records ?? []);
  return {
    catalogue,
    readings,
    now,
    found: [
      ...judgePageSize(readings),
      ...judgePaging(readings),
      ...judgeForms(readings),
      ...compareWithDocument(exchanges),
      ...offered.found,
      ...judgeCodes(catalogue, readings),
      ...minimum.found,
      ...extensions.found,
      balance,
      ...troubles,
    ],
    answers: {
      ...weighPurchases(intents, records, now),
      ...percents,
      ispNeedsUsersPrefix: offered.ispNeedsUsersPrefix,
      ipv6IdsAs: extensions.ipv6IdsAs,
      pageCap: answerPageCap(readings),
      minimumQuantity: minimum.minimumQuantity,
    },
  };
}
