import { type Catalogue, createCatalogue } from "./catalogue.ts";
import { createListing, type Listing } from "./listing.ts";
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
  /** What a delete does when auto-extension can't be switched off. */
  onDeleteFailure: "fail" | "abandon";
}

/** What core is given to work with. */
export interface AccountParts {
  service: ProxyService;
  clock: Clock;
  log: Log;
  settings: AccountSettings;
}

/** What one process knows of one account; every resource of a run shares it. */
export interface Account extends AccountParts {
  catalogue: Catalogue;
  listing: Listing;
  spending: Spending;
  /** The balance before anything of this run was bought; later ones are ignored, so quotes stay the same. */
  firstBalance(seen: number): number;
}

/** Opens an account for the life of a process. */
export function openAccount(parts: AccountParts): Account {
  let balance: number | undefined;
  return {
    ...parts,
    catalogue: createCatalogue(parts.service),
    listing: createListing(parts.service, parts.clock),
    spending: createSpending(parts.settings.maxSpend, parts.clock),
    firstBalance(seen) {
      balance ??= seen;
      return balance;
    },
  };
}
