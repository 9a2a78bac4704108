import type { Account } from "./account.ts";
import type { Order } from "./order.ts";

/** Something that must always be true of an account. */
export interface Invariant {
  /** The invariant as a sentence. */
  name: string;
  holds: boolean;
  /** What is wrong if it does not hold. */
  detail?: string;
}

/** Checks that the money, the charges and the proxies of an account agree. */
export function checkInvariants(account: Account): Invariant[] {
  const proxies = account.proxies();
  const living = proxies.filter(({ state }) => state !== "expired");
  return [
    checkMoney(account),
    checkCharges(account),
    judge(
      "every order holds as many proxies as were bought, unless some were taken out",
      account
        .orders()
        .filter(({ proxies: held, quantity }) => held.length > quantity)
        .map(nameOrder),
    ),
    judge(
      "no two living proxies share an id",
      findTwins(living, ({ ipAddressId }) => ipAddressId),
    ),
    judge("no two living proxies share address and port", [
      ...findTwins(living, ({ ip, httpsPort }) => `${ip}:${httpsPort}`),
      ...findTwins(living, ({ ip, socks5Port }) => `${ip}:${socks5Port}`),
    ]),
    judge(
      "nothing is listed past its end",
      living.filter(({ endMs }) => endMs <= account.nowMs()).map(({ ipAddressId }) => ipAddressId),
    ),
  ];
}

function checkMoney({ ledger }: Account): Invariant {
  const expected = ledger.expectBalance();
  return judge(
    "the balance is what it began with, plus payments, less all charges",
    ledger.balance.eq(expected) ? [] : [`${ledger.balance.toFixed(2)}, not ${expected.toFixed(2)}`],
  );
}

function checkCharges(account: Account): Invariant {
  const charges = account.ledger.entries.filter(({ kind }) => kind === "order").map(nameOrder);
  const charged = new Set(charges);
  const placed = new Set(account.orders().map(nameOrder));
  return judge("every order is charged exactly once", [
    ...findTwins(charges, (number) => number),
    ...[...placed].filter((number) => !charged.has(number)),
    ...[...charged].filter((number) => !placed.has(number)),
  ]);
}

function judge(name: string, offenders: readonly string[]): Invariant {
  if (offenders.length === 0) return { name, holds: true };
  return { name, holds: false, detail: offenders.slice(0, 10).join(", ") };
}

function findTwins<Item>(items: readonly Item[], keyOf: (item: Item) => string): string[] {
  const seen = new Set<string>();
  return items.map(keyOf).filter((key) => seen.size === seen.add(key).size);
}

function nameOrder({ orderNumber }: Pick<Order, "orderNumber">): string {
  return orderNumber;
}
