import { type Balance, createBalance } from "./account/balance.ts";
import { neverCancelled } from "./account/cancellation.ts";
import { type Catalogue, createCatalogue } from "./account/catalogue.ts";
import { createDeclarations, type Declarations } from "./account/declared-flags.ts";
import { createListing, type Listing } from "./account/listing.ts";
import { createMetStacks, type MetStacks } from "./account/met-stacks.ts";
import { createNewestOrder, type NewestOrder } from "./account/newest-order.ts";
import { createOrderPrices, type OrderPrices } from "./account/order-prices.ts";
import { createPageReader } from "./account/page-reader.ts";
import { createRecordedEnds, type RecordedEnds } from "./account/recorded-ends.ts";
import { createRefreshedPayments, type RefreshedPayments } from "./account/refreshed-payments.ts";
import { createRunRegistry, type RunRegistry } from "./account/run-registry.ts";
import { createRunTalk, type RunTalk } from "./account/run-talk.ts";
import { type Journal, openJournal } from "./journal/journal.ts";
import {
  type Clock,
  type FreeService,
  type JournalParts,
  type Log,
  type ProxyService,
  type RunIdentity,
  unknownRun,
} from "./ports.ts";
import { createAbandonedJudge } from "./spending/abandoned.ts";
import { type Budget, createBudget } from "./spending/budget.ts";
import { type BuyOnce, createBuyer } from "./spending/buy.ts";
import { createPromoUses, type PromoUses } from "./spending/promo-uses.ts";
import { createRunBeginning, type RunBeginning } from "./spending/run-beginning.ts";
import { createRunStory, type RunStory } from "./spending/run-story.ts";
import { createRunSums } from "./spending/run-sums.ts";
import { createSpendLimit, type SpendLimit } from "./spending/spend-limit.ts";
import { createTurns } from "./spending/turn.ts";
import { ProxyRentalError, reasonOf } from "./values/errors.ts";

/** What a user may set for all resources of a run. */
export interface AccountSettings {
  /** The most that one run may spend, in account currency. */
  maxSpend: number | undefined;
  /** The most that the account may spend in a calendar month, in account currency. */
  monthlyBudget: number | undefined;
  /** Whether quotes say the account's balance. */
  showBalance: boolean;
  /** Whether the journal may be thrown away with this machine, which nobody has decided. */
  isJournalAtRisk: boolean;
  /** Orders that a person declares gone. */
  goneOrders: ReadonlySet<string>;
  /** Orders that a person knows to be somebody else's. They stop no purchase. */
  foreignOrders: ReadonlySet<string>;
  /** For how many minutes back an unknown order stops a purchase like it; 0 for not at all. */
  lookBackMinutes: number;
  /** What a delete does when auto-extension can't be switched off. */
  onDeleteFailure: "fail" | "abandon";
  /** Deadline of one call. */
  timeoutMs: number;
  /** How long to wait for evidence after an answer was lost. */
  settlingMs: number;
}

/** What the core is given to work with. */
export interface AccountParts {
  service: ProxyService;
  clock: Clock;
  log: Log;
  settings: AccountSettings;
  journal: JournalParts;
  /** Says when a person has cancelled the run. @default never */
  cancelled?: AbortSignal;
  /** Which run of the engine is served. @default a run of which nothing is known */
  run?: RunIdentity;
  /**
   * Whether the host itself waits for `previewed.written` before the engine shows a purchase. Then no check does: the engine
   * checks one resource after the other. @default false
   */
  waitsForNotes?: boolean;
}

/** What one process knows of one account; every resource of a run shares it. Nothing can be bought with it. */
export interface Account extends Required<Omit<AccountParts, "journal" | "service">> {
  service: FreeService;
  catalogue: Catalogue;
  orderPrices: OrderPrices;
  listing: Listing;
  newestOrder: NewestOrder;
  journal: Journal;
  spendLimit: SpendLimit;
  budget: Budget;
  promoUses: PromoUses;
  balance: Balance;
  /** What this run has met: declared resources, and the orders that the state holds. */
  registry: RunRegistry;
  stacks: MetStacks;
  runBeginning: RunBeginning;
  /** Purchases of the journal that this run has already told a person of, by their ids. */
  unclaimedTold: Set<string>;
  story: RunStory;
  /** Takes in what the other provider processes of this run have told since. */
  hearOthers(): Promise<void>;
  recordedEnds: RecordedEnds;
  refreshedPayments: RefreshedPayments;
  /** What the program's auto-extensions declare in this run. */
  declarations: Declarations;
}

/** An account that something can be bought with. Only what carries out a plan is given it. */
export interface SpendingAccount extends Account {
  service: ProxyService;
  /** The one way on which money is spent. */
  buyOnce: BuyOnce;
}

/** Opens an account for the life of a process. */
export function openAccount(parts: AccountParts): SpendingAccount {
  const { service, clock, log, settings, cancelled = neverCancelled, run = unknownRun } = parts;
  const { waitsForNotes = false } = parts;
  const longestPurchaseMs = settings.timeoutMs + settings.settlingMs;
  const journal = openJournal(parts.journal, log, longestPurchaseMs);
  const sums = createRunSums();
  const registry = createRunRegistry(journal.memory.tell, journal.memory.nowMs);
  const talk: RunTalk = createRunTalk(journal, () => ({
    ofAccount: [
      ...[sums.hear, promoUses.hear, declarations.hear, recordedEnds.hear],
      ...[refreshedPayments.hear, story.hear],
    ],
    ofAny: [registry.hear, runBeginning.hear],
  }));
  const runBeginning = createRunBeginning(journal);
  const promoUses = createPromoUses(service, talk);
  const declarations = createDeclarations(talk);
  const recordedEnds = createRecordedEnds(journal, talk);
  const refreshedPayments = createRefreshedPayments(talk);
  const pages = createPageReader(service, clock);
  const listing = createListing(pages, clock, (message) => log.warn(message));
  const balance = createBalance(clock);
  const budget = createBudget({ monthlyBudget: settings.monthlyBudget, journal });
  const { showBalance, isJournalAtRisk } = settings;
  const told = { budget, showBalance, isJournalAtRisk };
  const story = createRunStory({ clock, log, run, talk, ...told });
  const spendLimit = createSpendLimit({
    ...{ maxSpend: settings.maxSpend, cancelled, sums, budget, hearOthers: talk.hear },
    tell: (fact) => talk.tell(fact).catch(rethrowUntold),
  });
  const buyOnce = createBuyer({
    ...{ service, clock, log, journal, balance, listing, story, spendLimit, budget },
    runBeginning,
    hearOthers: talk.hear,
    ...{ timeoutMs: settings.timeoutMs, settlingMs: settings.settlingMs },
    takeTurn: createTurns({ clock, cancelled, journal }),
    judgeAbandoned: createAbandonedJudge({
      ...{ service, clock, log, journal, listing, balance, registry, settings, spendLimit },
    }),
  });
  return {
    service,
    clock,
    log,
    settings,
    cancelled,
    run,
    waitsForNotes,
    journal,
    catalogue: createCatalogue(service),
    orderPrices: createOrderPrices(service, clock, balance),
    listing,
    newestOrder: createNewestOrder(pages),
    spendLimit,
    budget,
    buyOnce,
    promoUses,
    balance,
    registry,
    stacks: createMetStacks(log),
    runBeginning,
    unclaimedTold: new Set(),
    story,
    hearOthers: talk.hear,
    recordedEnds,
    refreshedPayments,
    declarations,
  };
}

/** What the other processes of the run do not know, they could spend again. */
function rethrowUntold(error: unknown): never {
  throw new ProxyRentalError(
    "JOURNAL_UNAVAILABLE",
    `what this run spends can't be written down for its other processes (${reasonOf(error)}). This purchase was not sent. Make room or make the journal's folder writable, and run again.`,
  );
}
