import { createDeclarations, type Declarations } from "./auto-extension/declarations.ts";
import { type Balance, createBalance } from "./balance.ts";
import { neverCancelled } from "./cancellation.ts";
import { type Catalogue, createCatalogue } from "./catalogue.ts";
import { type Journal, type JournalParts, openJournal } from "./journal/journal.ts";
import { createListing, type Listing } from "./listing.ts";
import { createRecordedEnds, type RecordedEnds } from "./recorded-ends.ts";
import type { Clock, Log, ProxyService } from "./service.ts";
import { createSpending, type Spending } from "./spending.ts";

/** What a user may set for all resources of a run. */
export interface AccountSettings {
  /** The most that one run may spend, in account currency. */
  maxSpend: number | undefined;
  /** Whether quotes say the account's balance. */
  showBalance: boolean;
  /** Orders that a person declares gone. */
  goneOrders: ReadonlySet<string>;
  /** Orders that a person knows to be somebody else's: they are not in the way of a purchase. */
  foreignOrders: ReadonlySet<string>;
  /** For how long back an order that nobody knows is in the way of one like it; 0 for not at all. */
  lookBackMinutes: number;
  /** What a delete does when auto-extension can't be switched off. */
  onDeleteFailure: "fail" | "abandon";
  /** Deadline of one call. */
  timeoutMs: number;
  /** How long evidence is awaited after an answer was lost. */
  settlingMs: number;
}

/** What core is given to work with. */
export interface AccountParts {
  service: ProxyService;
  clock: Clock;
  log: Log;
  settings: AccountSettings;
  journal: JournalParts;
  /** Says when a person has cancelled the run. @default never */
  cancelled?: AbortSignal;
}

/** What one process knows of one account; every resource of a run shares it. */
export interface Account extends Required<Omit<AccountParts, "journal">> {
  catalogue: Catalogue;
  listing: Listing;
  journal: Journal;
  spending: Spending;
  balance: Balance;
  /** Orders that the engine's state was seen to know: number by every name that the listing has for it. */
  knownOrders: Map<string, string>;
  recordedEnds: RecordedEnds;
  /** What the program's auto-extensions declare in this run. */
  declarations: Declarations;
}

/** Opens an account for the life of a process. */
export function openAccount(parts: AccountParts): Account {
  const { service, clock, log, settings, cancelled = neverCancelled } = parts;
  const longestPurchaseMs = settings.timeoutMs + settings.settlingMs;
  const journal = openJournal(parts.journal, clock, log, longestPurchaseMs);
  return {
    service,
    clock,
    log,
    settings,
    cancelled,
    journal,
    catalogue: createCatalogue(service),
    listing: createListing(service, clock, (message) => log.warn(message)),
    spending: createSpending(settings.maxSpend, { clock, journal, cancelled }),
    balance: createBalance(clock),
    knownOrders: new Map(),
    recordedEnds: createRecordedEnds(journal),
    declarations: createDeclarations(),
  };
}
