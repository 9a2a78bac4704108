import fc from "fast-check";
import type { FaultRule, SimulatedProxy } from "../../../simulator/index.ts";
import { type Families, whenIn } from "./families.ts";
import type { StoreMishap } from "./store-mishaps.ts";
import type { World } from "./world.ts";

/** Something that is wrong with the service from some call on, as data that a story can print. */
export type Trouble =
  | { kind: "rule"; rule: FaultRule }
  /** Listings that report success and have no rows. */
  | { kind: "empty"; calls: readonly number[] }
  /** Listings that show only orders that are at least this old. */
  | { kind: "stale"; calls: readonly number[]; minutes: number }
  /** Listings that show ends this many days too early. */
  | { kind: "backwards"; calls: readonly number[]; days: number }
  /** Listings that show automatic extension as it was when the trouble began. */
  | { kind: "formerFlags"; calls: readonly number[] }
  /** Calls to the journal's store fail. */
  | ({ kind: "store" } & StoreMishap)
  /** The same from the moment in which an order arrives: see `anyUnwatched`. */
  | { kind: "awayMeanwhile"; call: number; count: number }
  /** The price moves after an order has arrived and before it is charged. */
  | { kind: "surprise"; call: number; factor: number };

const DAY_MS = 24 * 60 * 60_000;

const MINUTE_MS = 60_000;

/** If an order is charged later than this after its answer was lost, the provider stops looking before that. */
const SETTLING_MS = 60_000;

/** Of the time for its answer, a call that leaves has at least so much left. */
const LEAST_LEFT_MS = 15_000;

/** How late a call is carried out that was put off: shortly before nobody expects it any more. */
const LATEST_MS = LEAST_LEFT_MS + SETTLING_MS - 5_000;

export const countries = ["USA", "DEU"];

export function anyQuantity(): fc.Arbitrary<number> {
  return fc.integer({ min: 1, max: 3 });
}

export function itemOf(country: string, quantity: number) {
  return { proxyType: "IPv4", country, quantity, rentPeriodDays: 30 } as const;
}

/** Any trouble, or several that belong together. */
export function anyTrouble(families: Families): fc.Arbitrary<Trouble[]> {
  const alone = fc.oneof(...anyFault(families)).map((trouble) => [trouble]);
  return fc.oneof(
    { weight: 2, arbitrary: alone },
    { weight: 1, arbitrary: anyCrowd() },
    ...(families.has("stores") ? [{ weight: 1, arbitrary: anyUnwatched() }] : []),
    ...(families.has("listings") && families.has("extensions")
      ? [{ weight: 1, arbitrary: anyLostExtension() }]
      : []),
  );
}

export function cause(world: World, trouble: Trouble): void {
  if (trouble.kind === "store") world.breakStore(trouble);
  else world.addFaults([toRule(world, trouble)]);
}

function toRule(world: World, trouble: Exclude<Trouble, { kind: "store" }>): FaultRule {
  switch (trouble.kind) {
    case "rule":
      return trouble.rule;
    case "empty":
      return listed(trouble.calls, (rows) => rows.filter(world.isForgotten));
    case "stale": {
      const { calls, minutes } = trouble;
      const now = () => world.clock.now().getTime();
      return listed(calls, (rows) =>
        rows.filter(
          (row) =>
            world.isForgotten(row) || Date.parse(row.dateStart) <= now() - minutes * MINUTE_MS,
        ),
      );
    }
    case "backwards": {
      const { calls, days } = trouble;
      return listed(calls, (rows) =>
        rows.map((row) => {
          const { dateEnd = "" } = row;
          return { ...row, dateEnd: new Date(Date.parse(dateEnd) - days * DAY_MS).toISOString() };
        }),
      );
    }
    case "formerFlags":
      return listFormerFlags(world, trouble.calls);
    case "surprise":
      return onArrival(trouble.call, () => world.setPrices(trouble.factor));
    case "awayMeanwhile":
      return onArrival(trouble.call, () =>
        world.breakStore({ after: 0, count: trouble.count, how: "away" }),
      );
  }
}

/** Does something when an order has arrived, and before it is charged. */
function onArrival(call: number, run: () => void): FaultRule {
  return { endpoint: "createOrder", calls: [call], phase: "before", fault: { kind: "act", run } };
}

interface Page {
  totalElements: number;
  totalPages: number;
  content: readonly Row[];
}

interface Row extends Pick<SimulatedProxy, "orderId" | "dateStart" | "dateEnd"> {
  ipAddressIp: string;
  extendInfo: { autoExtend: boolean; extendDays: number };
}

/** No listing is behind for longer. */
const MOST_LAG_MS = 50 * MINUTE_MS;

function listFormerFlags({ clock, tenants }: World, calls: readonly number[]): FaultRule {
  const sinceMs = clock.elapsedMs();
  const former = new Map(
    tenants
      .flatMap(({ account }) => account.proxies())
      .map(({ ip, autoExtend, extendDays }) => [ip, { autoExtend, extendDays }]),
  );
  return listed(calls, (rows) => {
    const isBehind = clock.elapsedMs() - sinceMs <= MOST_LAG_MS;
    return rows.map((row) => {
      const { ipAddressIp: ip } = row;
      const extendInfo = isBehind ? former.get(ip) : undefined;
      if (extendInfo?.autoExtend && !row.extendInfo.autoExtend) {
        for (const { maybeOff } of tenants) maybeOff.add(ip);
      }
      return extendInfo ? { ...row, extendInfo } : row;
    });
  });
}

/** Changes what listings show, page by page. The totals change too, so that no answer contradicts itself. */
function listed(calls: readonly number[], change: (rows: readonly Row[]) => Row[]): FaultRule {
  return {
    endpoint: "listProxies",
    calls,
    phase: "after",
    fault: {
      kind: "answer",
      patch(answer) {
        const { totalElements, totalPages, content } = (answer as { data: Page }).data;
        const rows = change(content);
        const left = totalElements - (content.length - rows.length);
        const data =
          rows.length === 0
            ? { totalElements: 0, totalPages: 0, content: [] }
            : { totalElements: left, totalPages, content: rows };
        return { ...answer, data };
      },
    },
  };
}

const anyPhase = () => fc.constantFrom("before" as const, "after" as const);

const anyCalls = () => fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });

/** Numbers of listing calls: some, several in a row, or all that come. */
const anyListings = () =>
  fc.oneof(anyCalls(), fc.constantFrom([1], [1, 2], [1, 2, 3], [2], [3], [1, 2, 3, 4, 5, 6, 7, 8]));

/** Somebody else buys at the same moment at which an answer is lost. */
function anyCrowd(): fc.Arbitrary<Trouble[]> {
  const crowd = fc.record({
    call: fc.integer({ min: 1, max: 3 }),
    phase: anyPhase(),
    country: fc.constantFrom(...countries),
    quantity: anyQuantity(),
  });
  return crowd.map(({ call, phase, country, quantity }) =>
    asTroubles([
      {
        endpoint: "createOrder",
        calls: [call],
        phase: "before",
        fault: { kind: "foreignOrder", item: itemOf(country, quantity) },
      },
      { endpoint: "createOrder", calls: [call], phase, fault: { kind: "reset" } },
    ]),
  );
}

/** An order is carried out late, and the run that waits for its answer can't look for it, because the journal is away. */
function anyUnwatched(): fc.Arbitrary<Trouble[]> {
  const unwatched = fc.record({
    call: fc.integer({ min: 1, max: 3 }),
    count: fc.integer({ min: 1, max: 4 }),
    afterMs: fc.integer({ min: LEAST_LEFT_MS, max: LATEST_MS }),
  });
  return unwatched.map(({ call, count, afterMs }) => [
    { kind: "awayMeanwhile", call, count },
    ...asTroubles([
      {
        endpoint: "createOrder",
        calls: [call],
        phase: "after",
        fault: { kind: "lateCommit", afterMs },
      },
    ]),
  ]);
}

/** The answer to an extension is lost, and the listing does not show it for a while. */
function anyLostExtension(): fc.Arbitrary<Trouble[]> {
  const lost = fc.record({ call: fc.integer({ min: 1, max: 2 }), calls: anyListings() });
  return lost.map(({ call, calls }) => [
    ...asTroubles([
      { endpoint: "extend", calls: [call], phase: "after", fault: { kind: "reset" } },
    ]),
    { kind: "backwards", calls, days: 30 },
  ]);
}

function asTroubles(rules: readonly FaultRule[]): Trouble[] {
  return rules.map((rule) => ({ kind: "rule", rule }));
}

type Weighted = { weight: number; arbitrary: fc.Arbitrary<Trouble> };

function anyFault(families: Families): Weighted[] {
  const spoiled = fc.constantFrom<FaultRule["fault"]>(
    { kind: "reset" },
    { kind: "reset" },
    { kind: "truncate" },
    { kind: "garbage" },
    { kind: "status", status: 502 },
    { kind: "status", status: 429, retryAfterSeconds: 1 },
    { kind: "redirect" },
  );
  const late = fc
    .integer({ min: 1, max: LATEST_MS })
    .map((afterMs) => ({ kind: "lateCommit", afterMs }) as const);
  const foreign = fc
    .tuple(fc.constantFrom(...countries), anyQuantity())
    .map((of) => ({ kind: "foreignOrder", item: itemOf(...of) }) as const);
  const onOrder = fc.oneof(
    { weight: 6, arbitrary: spoiled },
    { weight: 3, arbitrary: late },
    { weight: 2, arbitrary: foreign },
  );
  const rule = (endpoint: FaultRule["endpoint"], fault: fc.Arbitrary<FaultRule["fault"]>) =>
    ruled(
      fc.record({ endpoint: fc.constant(endpoint), calls: anyCalls(), phase: anyPhase(), fault }),
    );
  // Refused before the charge only: the provider believes a refusal, so a charge after it is not played.
  const refused = onAnswer("createOrder", "before", { kind: "refuse", code: 14 });
  const withoutNumber = onAnswer("createOrder", "after", {
    kind: "answer",
    patch: (answer) => ({ ...answer, orderNumber: null }),
  });
  // This answer is neither a success nor a refusal in the documented form.
  const withoutError = onAnswer("createOrder", "after", {
    kind: "answer",
    patch: { success: false, proxyType: null, orderNumber: null, error: null },
  });
  const contradictingListing = onAnswer("listProxies", "after", {
    kind: "answer",
    patch: (answer) => ({ ...answer, data: { totalElements: 3, totalPages: 1, content: [] } }),
  });
  const when = whenIn<Weighted>(families);
  return [
    { weight: 6, arbitrary: rule("createOrder", onOrder) },
    { weight: 1, arbitrary: withoutNumber },
    { weight: 1, arbitrary: refused },
    { weight: 2, arbitrary: rule("listProxies", spoiled) },
    { weight: 1, arbitrary: contradictingListing },
    { weight: 1, arbitrary: rule("getBalance", spoiled) },
    { weight: 1, arbitrary: rule("calculateOrder", spoiled) },
    ...when("listings", [
      { weight: 2, arbitrary: anyListings().map((calls) => ({ kind: "empty", calls })) },
      { weight: 2, arbitrary: anyStale() },
      { weight: 2, arbitrary: anyBackwards() },
      { weight: 1, arbitrary: withoutError },
    ]),
    ...when("dates", [{ weight: 3, arbitrary: anyWrongDate() }]),
    ...when("prices", [{ weight: 2, arbitrary: anySurprise() }]),
    ...when("stores", [{ weight: 4, arbitrary: anyStoreMishap() }]),
    ...when("extensions", [{ weight: 4, arbitrary: rule("extend", spoiled) }]),
    ...when("autoExtensions", [{ weight: 3, arbitrary: rule("setAutoExtension", spoiled) }]),
    ...when("flags", [{ weight: 3, arbitrary: anyFormerFlags() }]),
  ];
}

function ruled(rules: fc.Arbitrary<FaultRule>): fc.Arbitrary<Trouble> {
  return rules.map((rule) => ({ kind: "rule", rule }));
}

function onAnswer(
  endpoint: FaultRule["endpoint"],
  phase: FaultRule["phase"],
  fault: FaultRule["fault"],
): fc.Arbitrary<Trouble> {
  return ruled(anyCalls().map((calls) => ({ endpoint, calls, phase, fault })));
}

export function anyFormerFlags(): fc.Arbitrary<Trouble> {
  const all = Array.from({ length: 40 }, (_, index) => index + 1);
  const calls = fc.oneof(anyListings(), fc.constant(all));
  return calls.map((calls) => ({ kind: "formerFlags", calls }));
}

function anyStale(): fc.Arbitrary<Trouble> {
  const minutes = fc.constantFrom(1, 10, 24 * 60);
  return fc.record({ kind: fc.constant("stale" as const), calls: anyListings(), minutes });
}

function anyBackwards(): fc.Arbitrary<Trouble> {
  const days = fc.constantFrom(1, 30, 31, 60);
  return fc.record({ kind: fc.constant("backwards" as const), calls: anyListings(), days });
}

/** A `Date` header that is wrong by hours, or by more days than an order lasts. */
function anyWrongDate(): fc.Arbitrary<Trouble> {
  const aheadMs = fc
    .constantFrom(-40, -31, -2, 2, 31, 40, 400, 0.25, -0.25)
    .map((days) => days * DAY_MS);
  const endpoint = fc.constantFrom("listProxies" as const, "listProxies" as const, "any" as const);
  return fc
    .record({ endpoint, calls: fc.constantFrom([1], [2], [3], [1, 2]), aheadMs })
    .map(({ endpoint, calls, aheadMs }) => ({
      kind: "rule",
      rule: { endpoint, calls, phase: "after", fault: { kind: "date", aheadMs } },
    }));
}

function anyStoreMishap(): fc.Arbitrary<Trouble> {
  return fc.record({
    kind: fc.constant("store" as const),
    after: fc.integer({ min: 0, max: 40 }),
    count: fc.constantFrom(1, 1, 2, 50),
    how: fc.constantFrom<StoreMishap["how"]>("away", "lost", "noAnswer", "notArrived"),
  });
}

function anySurprise(): fc.Arbitrary<Trouble> {
  return fc.record({
    kind: fc.constant("surprise" as const),
    call: fc.integer({ min: 1, max: 3 }),
    factor: fc.constantFrom(2, 3, 10),
  });
}
