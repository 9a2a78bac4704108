import { z } from "zod";
import { type ProxyType, proxyTypes } from "../../client/index.ts";
import { MOST_APART_MS } from "../values/dates.ts";
import { migrate, newestVersion } from "../values/migrate.ts";
import { withoutScope } from "../values/owner.ts";
import { intentMigration } from "./migrate-intent.ts";

/** Goes up with each step of the migration; every release reads all earlier versions. */
const JOURNAL_VERSION = newestVersion(intentMigration);

/** What an order asks of the service. */
const orderSpecSchema = z.object({
  kind: z.literal("order"),
  request: z.looseObject({
    proxyType: z.enum(proxyTypes),
    country: z.string(),
    quantity: z.number(),
    rentPeriodDays: z.number(),
  }),
  /** Orders of its country that were listed right before. */
  ordersBefore: z.array(z.string()),
});

/** What an extension asks of the service. */
const extensionSpecSchema = z.object({
  kind: z.literal("extension"),
  request: z.looseObject({
    proxyType: z.enum(proxyTypes),
    ipAddressIds: z.array(z.string()),
    rentPeriodDays: z.number(),
  }),
  /** How each proxy was listed right before: the service may change ids on extension. */
  proxiesBefore: z.array(
    z.object({
      ipAddressId: z.string(),
      address: z.string(),
      /** Absent in documents of release 0.1.0. */
      orderId: z.string().optional(),
      dateEnd: z.string().optional(),
    }),
  ),
});

/** A resource whose state may have a purchase. */
const holderSchema = z.object({
  /** By its newest name. */
  owner: z.string(),
  /** By which hand-over its state has it, see `hand-over.ts`. Absent if it has bought it. */
  handOver: z.string().optional(),
  /** The scope of its stack, see `proxyrental:journalScope`. */
  scope: z.string().optional(),
  /** Whether its state was seen to have it after it was last given to another one. */
  isSeen: z.boolean().optional(),
  /** The addresses of the order that it has let go. Absent if it has the whole order. */
  letGo: z.array(z.string()).optional(),
});

/** See `holderSchema`. */
export type Holder = z.infer<typeof holderSchema>;

/** Why nothing more is to be done about an intent; `released`: its resource has the order no more, and it runs out. */
const endings = ["rejected", "notPlaced", "expired", "resolved", "released"] as const;

/**
 * One purchase, written down before it is sent:
 * - `sending`: it may have been sent, and no answer was written down;
 * - `placed`: the service took it; the money is gone;
 * - `returned`: and the engine was told;
 * - `confirmed`: the engine's state was seen to know it;
 * - `unknown`: nobody can tell yet whether it was taken;
 * - `closed`: over, see `closedBecause`.
 */
export const intentSchema = z.object({
  version: z.literal(JOURNAL_VERSION),
  id: z.string(),
  /** One more with every change of this document. */
  revision: z.number(),
  phase: z.enum(["sending", "placed", "returned", "confirmed", "unknown", "closed"]),
  closedBecause: z.enum(endings).optional(),
  /** Whose purchase it is: the resource's URN with its organisation, by the newest name under which a state had it. */
  owner: z.string(),
  /** All resources whose states may have it, `owner` last. Absent while only that one can, because it has bought it. */
  holders: z.array(holderSchema).optional(),
  requestId: z.string(),
  /** Folder of the Pulumi program that was run; "" on a shared journal, where folders tell nothing. */
  project: z.string(),
  /**
   * What tells its stack apart from stacks of the same name, see `proxyrental:journalScope`: the scope of the run that made it,
   * and of each state that was seen to have it. None is ever taken away. Absent if there is none.
   */
  scopes: z.array(z.string()).optional(),
  /** The process that sent it. */
  runId: z.string(),
  /** A salted fingerprint of the API key that it was sent with; absent in documents of release 0.1.0. */
  account: z.string().optional(),
  /**
   * Higher than that of every earlier purchase of this journal, also of those that were never sent: clocks tell no order. Absent
   * in documents of release 0.1.0.
   */
  sequence: z.number().optional(),
  purchase: z.discriminatedUnion("kind", [orderSpecSchema, extensionSpecSchema]),
  price: z.number(),
  /** What the balance fell by, where that is not the price. */
  charged: z.number().optional(),
  currency: z.string(),
  /** Percentage that a promo code took off. */
  discount: z.number(),
  balanceBefore: z.number(),
  /** When it was sent, by the service's clock where the service tells it. */
  sentAt: z.string(),
  /** Until when its answer, or its late effect, is to be expected; by the same clock. */
  answerBy: z.string(),
  orderNumber: z.string().optional(),
  /** Whether another order was listed under this number before. Absent if not, and in documents of release 0.1.0. */
  isNumberTaken: z.boolean().optional(),
  /** What the listing calls the order, once it was seen there. */
  orderIds: z.array(z.string()).optional(),
  promoCodeStatus: z.string().optional(),
  /** What may be this purchase, for a person to decide. */
  candidates: z.array(z.string()).optional(),
  /** Whether a look has shown traces of it: its charge, or what may be it. Written when nobody could tell what became of it. */
  hasTraces: z.boolean().optional(),
  /** In words, what is known. */
  remark: z.string().optional(),
  /** When each phase began, by the journal's clock. */
  history: z.array(z.object({ phase: z.string(), at: z.string() })),
});

/** Reads a document of this release or of an earlier one. Throws for one that it can't read. */
export function parseIntent(recorded: unknown): Intent {
  return intentSchema.parse(migrate(recorded, intentMigration).document);
}

/** What an intent may be about. */
export type PurchaseSpec = OrderSpec | ExtensionSpec;

export type OrderSpec = z.infer<typeof orderSpecSchema>;

export type ExtensionSpec = z.infer<typeof extensionSpecSchema>;

/** See `intentSchema`. */
export type Intent<About extends PurchaseSpec = PurchaseSpec> = Omit<
  z.infer<typeof intentSchema>,
  "purchase"
> & { purchase: About };

/** An intent to buy an order. */
export type OrderIntent = Intent<OrderSpec>;

/** An intent to extend proxies. */
export type ExtensionIntent = Intent<ExtensionSpec>;

/** What the buyer knows of a purchase. The journal adds the rest. */
export type IntentDraft<About extends PurchaseSpec = PurchaseSpec> = Pick<
  Intent<About>,
  | "owner"
  | "requestId"
  | "purchase"
  | "price"
  | "currency"
  | "discount"
  | "balanceBefore"
  | "sentAt"
  | "answerBy"
>;

/** What may change after an intent was written. */
export type IntentChange = Partial<
  Pick<
    Intent,
    | "phase"
    | "closedBecause"
    | "orderNumber"
    | "isNumberTaken"
    | "orderIds"
    | "promoCodeStatus"
    | "charged"
    | "candidates"
    | "hasTraces"
    | "remark"
    | "owner"
    | "holders"
    | "scopes"
    | "runId"
  >
>;

/** The revision of a new document. */
const FIRST_REVISION = 1;

/** Writes the first version of an intent. */
export function openIntent<About extends PurchaseSpec>(
  draft: IntentDraft<About>,
  by: Pick<Intent, "id" | "project" | "scopes" | "runId" | "account" | "sequence">,
  at: Date,
): Intent<About> {
  return {
    version: JOURNAL_VERSION,
    revision: FIRST_REVISION,
    phase: "sending",
    ...by,
    ...draft,
    history: [{ phase: "sending", at: at.toISOString() }],
  };
}

/** The next version of an intent. */
export function changeIntent<About extends PurchaseSpec, Change extends IntentChange>(
  intent: Intent<About>,
  change: Change,
  at: Date,
): Intent<About> & Change {
  const { phase = intent.phase } = change;
  const moved = phase === intent.phase ? [] : [{ phase, at: at.toISOString() }];
  const { closedBecause, ...open } = intent;
  return {
    ...open,
    ...(phase === "closed" && closedBecause && { closedBecause }),
    ...change,
    revision: intent.revision + 1,
    history: [...intent.history, ...moved],
  };
}

/** Whether no answer has told what is written down: it follows from what was listed, and from the balance. */
export function isOnlyConcluded({ phase, closedBecause }: Intent): boolean {
  return phase === "sending" || phase === "unknown" || closedBecause === "notPlaced";
}

/**
 * Every name of an intent's order: the number that the buyer was told, and the listing's ids. A service that lists orders under
 * other names than their numbers may tell a number that is the listed name of an older order. Then it names that one.
 */
export function namesOf(intent: Intent): string[] {
  const { orderNumber, orderIds = [] } = intent;
  if (!isMisnumbered(intent)) return saidNamesOf(intent);
  return orderIds.filter((orderId) => orderId !== orderNumber);
}

/**
 * By what an intent's order is to be looked for in the listing: by its listed ids once it was found there. Its number may be the
 * listed id of another order then.
 */
export function listedNamesOf(intent: Intent): readonly string[] {
  const names = namesOf(intent);
  const listed = names.filter((name) => intent.orderIds?.includes(name));
  return listed.length > 0 ? listed : names;
}

/** Orders by their type and their names. The document does not say that orders of two types have different numbers. */
export interface NamesOfType {
  proxyType: ProxyType;
  names: readonly string[];
}

/** An order whose purchase may be known. Its number may be the listed id of another one: then that tells the two apart. */
export interface PurchasedOrder extends NamesOfType {
  /** As states name the purchase; undefined if nobody knows it. */
  requestId: string | undefined;
}

/** An intent's order, by every name of it. */
export function knownAs(intent: OrderIntent): PurchasedOrder & { requestId: string } {
  const { proxyType } = intent.purchase.request;
  return { proxyType, names: namesOf(intent), requestId: withoutScope(intent.requestId) };
}

/** The purchases of one type: only these are to be compared by names with what is listed of it. */
export function ofType<About extends PurchaseSpec>(
  intents: readonly Intent<About>[],
  proxyType: ProxyType,
): Intent<About>[] {
  return intents.filter(({ purchase }) => purchase.request.proxyType === proxyType);
}

/** The name by which people are to name an intent's order; undefined while it has none of its own. */
export function nameForPeople(intent: Intent): string | undefined {
  return listedNamesOf(intent)[0] || undefined;
}

/** Every name that was said of an intent's order. Its number may be that of an older order. */
export function saidNamesOf({
  orderNumber = "",
  orderIds = [],
}: Pick<Intent, "orderNumber" | "orderIds">): string[] {
  return [orderNumber, ...orderIds];
}

/** Whether another order was listed under its number before it was sent. */
export function isMisnumbered({ orderNumber = "", isNumberTaken, purchase }: Intent): boolean {
  if (isNumberTaken) return true;
  return purchase.kind === "order" && purchase.ordersBefore.includes(orderNumber);
}

/**
 * The purchases of another journal that are not in this one too: a journal that was copied stays where it was, and says no
 * more what has become of them. Ids alone do not tell, because two journals may have one for two purchases.
 */
export function notAmong(known: readonly Intent[], others: readonly Intent[]): Intent[] {
  if (others.length === 0) return [];
  const identify = (intent: Intent) => [intent.id, begunAt(intent), intent.sentAt].join(" ");
  const names = new Set(known.map(identify));
  return others.filter((other) => !names.has(identify(other)));
}

/** Whether two purchases of one id are one: two journals may have one id for two purchases, but not of one moment. */
export function isSameMoment(a: Intent, b: Intent): boolean {
  return begunAt(a) === begunAt(b) && a.sentAt === b.sentAt;
}

/** When it was written down, by the journal's clock. */
export function begunAt({ history, sentAt }: Pick<Intent, "history" | "sentAt">): string {
  return history[0]?.at ?? sentAt;
}

/** What tells when a purchase was sent, and until when its answer may come. */
export type Timed = "sentAt" | "answerBy" | "history";

/** When its answer, or its late effect, can't come any more, by the journal's clock. */
export function settledAt(intent: Pick<Intent, Timed>): Date {
  const longestMs = Date.parse(intent.answerBy) - Date.parse(intent.sentAt);
  return new Date(Date.parse(begunAt(intent)) + longestMs);
}

/**
 * When a purchase was sent, at the earliest and at the latest: one answer may have told a wrong time, and this machine's
 * clock may be wrong by as much as is believed of it.
 */
export function sentBetween(intent: Pick<Intent, "history" | "sentAt">): {
  earliest: Date;
  latest: Date;
} {
  const sentMs = Date.parse(intent.sentAt);
  const begunMs = Date.parse(begunAt(intent));
  return {
    earliest: new Date(Math.min(sentMs, begunMs + MOST_APART_MS)),
    latest: new Date(Math.max(sentMs, begunMs - MOST_APART_MS)),
  };
}

/** Whether a purchase is known to be one of a stack of this scope; with "", of one that has none. */
export function isOfScope({ scopes = [] }: Pick<Intent, "scopes">, scope: string): boolean {
  return scope === "" ? scopes.length === 0 : scopes.includes(scope);
}

/** Whether nothing more is to be done about it; such an intent never stands in the way of a purchase. */
export function isDone({ phase }: Pick<Intent, "phase">): boolean {
  return phase === "confirmed" || phase === "closed";
}

/** Whether its run does nothing more about it. A purchase at rest never comes to life again. */
export function isAtRest(intent: Pick<Intent, "phase">): boolean {
  return intent.phase === "returned" || isDone(intent);
}

/** Whether two purchases were made with one account, as far as the journal can tell. */
export function isSameAccount(
  a: Pick<Intent, "account">,
  b: Pick<Intent, "account"> | undefined,
): boolean {
  return a.account === undefined || b?.account === undefined || a.account === b.account;
}

/** Whether the service is known to have taken it. */
export function isPlaced({ phase }: Pick<Intent, "phase">): boolean {
  return phase === "placed" || phase === "returned" || phase === "confirmed";
}

/** Sorts purchases in the order in which they were sent; by their times if a document has no sequence. */
export function bySending(a: Intent, b: Intent): number {
  if (a.sequence !== undefined && b.sequence !== undefined) return a.sequence - b.sequence;
  return Date.parse(a.sentAt) - Date.parse(b.sentAt);
}

/** What a purchase has cost, as far as it is known: the charge, or else the confirmed price. */
export function costOf({ price, charged = price }: Pick<Intent, "price" | "charged">): number {
  return charged;
}

/**
 * What a purchase counts against a limit: never less than the confirmed price. The balance may fall by less because somebody
 * pays in at the same moment, or because it is told late.
 */
export function countedOf({ price, charged = price }: Pick<Intent, "price" | "charged">): number {
  return Math.max(price, charged);
}

export function isOrderIntent(intent: Intent): intent is OrderIntent {
  return intent.purchase.kind === "order";
}

export function isExtensionIntent(intent: Intent): intent is ExtensionIntent {
  return intent.purchase.kind === "extension";
}
