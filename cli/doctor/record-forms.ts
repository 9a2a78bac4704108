import { z } from "zod";
import { countOf, type Found } from "./findings.ts";
import type { TypeReading } from "./page-reading.ts";

/** ISO 8601 with offset and milliseconds, as the service's document says. */
const DOCUMENTED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:?\d\d)$/;

/** Of a date in a form that nobody has foreseen. */
const LONGEST_SHOWN = 40;

const rawRecord = z.looseObject({
  dateStart: z.unknown().optional(),
  dateEnd: z.unknown().optional(),
  ipAddressId: z.unknown().optional(),
  orderId: z.unknown().optional(),
});

/** Whether dates and ids of the listed proxies have the form that the document says. */
export function judgeForms(readings: readonly TypeReading[]): Found[] {
  const rows = readings.flatMap(({ first }) =>
    (first?.raw ?? []).map((raw, index) => ({
      raw: rawRecord.parse(raw),
      read: first?.records[index],
    })),
  );
  if (rows.length === 0) return [];
  return [...judgeDates(rows), ...judgeIds(rows), ...judgeOwners(readings)];
}

type Row = {
  raw: z.infer<typeof rawRecord>;
  read: { dateStart?: string | undefined; dateEnd?: string | undefined } | undefined;
};

function judgeDates(rows: readonly Row[]): Found[] {
  const about = "dates";
  const dates = rows.flatMap(({ raw, read }) =>
    (["dateStart", "dateEnd"] as const).flatMap((name) =>
      raw[name] === undefined || raw[name] === null
        ? []
        : [{ told: raw[name], isRead: read?.[name] !== undefined }],
    ),
  );
  const strange = dates.filter(({ told }) => typeof told !== "string" || !DOCUMENTED.test(told));
  const [example] = strange;
  if (example === undefined)
    return [{ about, mark: "well", text: "Dates have the documented form." }];
  const isRead = strange.every((date) => date.isRead);
  const form = JSON.stringify(example.told).slice(0, LONGEST_SHOWN);
  const few = `${strange.length} of ${countOf(dates.length, "date")} ${strange.length === 1 ? "has" : "have"} another form than the documented one, for instance ${form}`;
  if (isRead) return [{ about, mark: "look", text: `${few}. The provider can read them.` }];
  return [
    {
      about,
      mark: "wrong",
      text: `${few}. The provider takes what it can't read for a date that is not told yet.`,
    },
  ];
}

function judgeIds(rows: readonly Row[]): Found[] {
  const about = "ids";
  const ids = rows.map(({ raw }) => raw.ipAddressId);
  const all = [...ids, ...rows.map(({ raw }) => raw.orderId)];
  const found: Found[] = [];
  if (all.some((id) => typeof id !== "string")) {
    found.push({
      about,
      mark: "look",
      text: "Some ids are no texts, as the document says. The provider reads them as texts.",
    });
  }
  if (new Set(ids.map(String)).size < ids.length) {
    found.push({
      about,
      mark: "look",
      text: "Two listed proxies have the same id: an extension of one may extend the other.",
    });
  }
  if (found.length > 0) return found;
  return [
    {
      about,
      mark: "well",
      text: `Ids are texts (${describeForm(all.map(String))}), and no two of ${countOf(ids.length, "proxy", "proxies")} share one.`,
    },
  ];
}

function describeForm(ids: readonly string[]): string {
  if (ids.every((id) => /^\d+$/.test(id))) return "digits only";
  if (ids.every((id) => /^[0-9a-f-]{36}$/i.test(id))) return "UUIDs";
  return "of any characters";
}

/** Orders are looked for by type, so that one must not have two. */
function judgeOwners(readings: readonly TypeReading[]): Found[] {
  const orders = readings.flatMap(({ first }) => [
    ...new Set(first?.records.map(({ orderId }) => orderId)),
  ]);
  if (new Set(orders).size === orders.length) return [];
  return [{ about: "ids", mark: "look", text: "One order id is listed under two proxy types." }];
}
