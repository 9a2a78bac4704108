import type { Clock } from "../clock.ts";
import { scatter } from "../scatter.ts";
import { parseMoney, type Settings } from "../settings.ts";
import { Account } from "./account.ts";
import { type AccountRecord, beginAccount } from "./account-record.ts";
import { Identities } from "./identity.ts";
import { checkInvariants, type Invariant } from "./invariants.ts";
import type { Premises } from "./premises.ts";

/** The options of a further account. */
export interface AccountOptions {
  /** Its name at the control API: a letter, then letters, digits, "-" and "_". @default "account-2" and so on */
  name?: string | undefined;
  /** @default "demo-key-…", made from the seed */
  apiKey?: string | undefined;
  /** Decimal. @default the first account's */
  balance?: string | number | undefined;
}

export interface AccountInvariant extends Invariant {
  /** The account's name. */
  account: string;
}

const firstName = "main";

/** All accounts by their keys and names. There is always a first one. */
export class AccountBook {
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #premises: Premises | undefined;
  #accounts: Account[];

  /** Without premises, proxies are only entries of a listing. */
  constructor(settings: Settings, clock: Clock, premises?: Premises) {
    this.#settings = settings;
    this.#clock = clock;
    this.#premises = premises;
    this.#accounts = [this.#openFirst()];
  }

  get first(): Account {
    const [first] = this.#accounts;
    if (first === undefined) throw new Error("The simulator has lost its first account");
    return first;
  }

  all(): readonly Account[] {
    return this.#accounts;
  }

  findByKey(apiKey: string | undefined): Account | undefined {
    return this.#accounts.find((account) => account.apiKey === apiKey);
  }

  findByName(name: string): Account | undefined {
    return this.#accounts.find((account) => account.name === name);
  }

  /** Throws a TypeError that names what is wrong or taken. */
  open({ name, apiKey, balance }: AccountOptions = {}): Account {
    const index = this.#accounts.length;
    const seed = this.#seedOf(index);
    const identity = {
      name: name ?? `account-${index + 1}`,
      apiKey: apiKey ?? new Identities(seed).apiKey(),
    };
    requireName(identity.name);
    if (identity.apiKey === "") throw new TypeError("apiKey must not be empty");
    if (this.findByName(identity.name)) {
      throw new TypeError(`name "${identity.name}" is taken by another account`);
    }
    if (this.findByKey(identity.apiKey)) throw new TypeError("apiKey is another account's");
    const opening = balance === undefined ? this.#settings.balance : parseMoney("balance", balance);
    const account = this.#make(
      identity.name,
      identity.apiKey,
      beginAccount(seed, opening.toFixed(2)),
    );
    this.#accounts.push(account);
    return account;
  }

  /** The JSON without the key of any account. */
  redactKeys(json: string): string {
    return this.#accounts.reduce(
      (rest, { apiKey }) => rest.replaceAll(JSON.stringify(apiKey).slice(1, -1), "{apiKey}"),
      json,
    );
  }

  settle(): void {
    for (const account of this.#accounts) account.settle();
  }

  checkInvariants(): AccountInvariant[] {
    this.settle();
    return this.#accounts.flatMap((account) =>
      checkInvariants(account).map((invariant) => ({ account: account.name, ...invariant })),
    );
  }

  /** Everything as at the start: the first account alone, with nothing bought. */
  reset(): void {
    this.#premises?.clear();
    this.#accounts = [this.#openFirst()];
  }

  /**
   * Replaces all accounts by saved ones. Keys are not saved: an account of the same name keeps its key, and all
   * others get theirs from the seed.
   */
  load(records: Readonly<Record<string, AccountRecord>>): void {
    this.#premises?.clear();
    this.#accounts = Object.entries(records).map(([name, record]) =>
      this.#make(
        name,
        this.findByName(name)?.apiKey ?? new Identities(record.seed).apiKey(),
        record,
      ),
    );
  }

  #openFirst(): Account {
    const { seed, apiKey, balance } = this.#settings;
    const key = apiKey ?? new Identities(seed).apiKey();
    return this.#make(firstName, key, beginAccount(seed, balance.toFixed(2)));
  }

  #make(name: string, apiKey: string, record: AccountRecord): Account {
    return new Account({ name, apiKey }, record, this.#settings, this.#clock, this.#premises);
  }

  /** The first account has the simulator's own seed, so that a second account does not change the first. */
  #seedOf(index: number): number {
    return index === 0 ? this.#settings.seed : scatter(this.#settings.seed, "account", index);
  }
}

/** A name must not look like a number: JavaScript would change the order of a record with such names. */
export const accountNamePattern = /^[a-z][\w-]{0,63}$/i;

function requireName(name: string): void {
  if (accountNamePattern.test(name)) return;
  throw new TypeError(
    `name must be a letter and up to 63 letters, digits, "-" or "_", not ${JSON.stringify(name)}`,
  );
}
