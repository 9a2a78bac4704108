import type { Clock, ProxyService } from "../../../provider/core/ports.ts";
import type { LedgerEntry, SimulatedAccount } from "../../../simulator/index.ts";
import type { Shown } from "./shown-plans.ts";

/** The sums of one run, which are compared with what it may spend. */
export interface RunSpending {
  /** What previews have shown and binds this run, by owner. */
  readonly shown: ReadonlyMap<string, readonly Shown[]>;
  readonly maxSpend: number | undefined;
  spent: number;
  /** How much was charged above the confirmed prices because prices had moved. That is nobody's fault. */
  surprise: number;
  isSurprised: boolean;
  /** What each owner was charged. */
  readonly charged: Map<string, number>;
}

/** Begins the sums of a run. */
export function beginSpending(run: Pick<RunSpending, "shown" | "maxSpend">): RunSpending {
  return { ...run, spent: 0, surprise: 0, isSurprised: false, charged: new Map() };
}

/** The owner of each purchase, by the goal of the order. */
export interface Owners {
  ofOrder(goal: string): string;
  /** The owner of the extension of the order's proxies. */
  ofExtension(goal: string): string;
  /** The owner of the auto-extension of the order's proxies. */
  ofAutoExtension(goal: string): string;
  /** The latest time through which a program has ever declared the order's proxies paid. */
  paidThroughMs(goal: string): number;
}

interface WatchParts {
  account: Pick<SimulatedAccount, "ledger" | "orders" | "proxies">;
  clock: Clock;
  owners: Owners;
  /** The order that a goal stands for. */
  nameOf(goal: string): string;
  /** How often prices have moved. */
  priceMoves(): number;
  /** Is told of each owner that was charged, or got what charges later. */
  carriedOut(owner: string): void;
  /** Is told what is wrong. */
  blame(wrong: string): void;
}

/** A preview binds for two hours. This is less, because this machine's clock may be set meanwhile. */
const BINDING_MS = 115 * 60_000;

const CENT = 0.001;

const spendingEffects: ReadonlySet<unknown> = new Set(["buy", "topUp", "replace", "extend"]);

const renewingEffects: ReadonlySet<unknown> = new Set(["autoExtend"]);

/** Compares charges with what was shown, confirmed and allowed. */
export interface SpendingWatch {
  /** Wraps the service for the processes of a run, and judges each charge. */
  interpose(run: RunSpending, real: ProxyService): ProxyService;
}

/** Compares every charge that our own calls cause with what was shown, confirmed and allowed. */
export function createSpendingWatch({
  account,
  clock,
  owners,
  nameOf,
  priceMoves,
  carriedOut,
  blame,
}: WatchParts): SpendingWatch {
  const attributed = new Set<number>();

  /** Finds the charge that a call has caused. A charge that comes after the call is attributed to no call. */
  function findCharge(since: number, isIt: (entry: LedgerEntry) => boolean): number | undefined {
    const entries = account.ledger();
    const index = entries.findIndex(
      (entry, at) => at >= since && !attributed.has(at) && entry.origin === "api" && isIt(entry),
    );
    if (index < 0) return undefined;
    attributed.add(index);
    return Number(entries[index]?.price);
  }

  function judge(
    run: RunSpending,
    owner: string,
    what: string,
    charge: { price: number; quantity: number; confirmed: number | undefined; moved: boolean },
  ): void {
    const { price, quantity, confirmed = price, moved } = charge;
    if (run.isSurprised) blame(`${what}: bought after a charge that was not as confirmed`);
    if (price > confirmed + CENT) {
      run.isSurprised = true;
      if (moved) run.surprise += price - confirmed;
      else blame(`${what}: ${confirmed} was confirmed and ${price} charged`);
    }
    run.spent += price;
    const { maxSpend } = run;
    if (maxSpend !== undefined && run.spent > maxSpend + run.surprise + CENT) {
      blame(`${what}: ${run.spent} spent by a run that may spend ${maxSpend}`);
    }
    const charged = (run.charged.get(owner) ?? 0) + Math.min(price, moved ? confirmed : price);
    run.charged.set(owner, charged);
    carriedOut(owner);
    for (const { effect, price: most = 0, quantity: count = 0 } of bindingFor(run, owner)) {
      if (!spendingEffects.has(effect))
        blame(`${what}: ${price} charged, the preview showed ${effect}`);
      else if (charged > most + CENT)
        blame(`${what}: ${charged} charged, the preview showed ${most}`);
      else if (quantity > count) blame(`${what}: ${quantity} bought, the preview showed ${count}`);
    }
  }

  /** What previews have shown that could tell. */
  function bindingFor({ shown }: RunSpending, owner: string): Shown["quote"][] {
    return (shown.get(owner) ?? [])
      .filter(({ atMs }) => clock.now().getTime() - atMs <= BINDING_MS)
      .map(({ quote }) => quote)
      .filter(({ effect }) => effect !== "unknown");
  }

  /** What extends itself is charged later, and nobody is asked then. */
  function judgeRenewal(run: RunSpending, goal: string, price: number | undefined): void {
    const owner = owners.ofAutoExtension(goal);
    carriedOut(owner);
    for (const { effect, pricePerCycle = price } of bindingFor(run, owner)) {
      if (!renewingEffects.has(effect))
        blame(`${goal} was switched on, the preview showed ${effect}`);
      else if (price !== undefined && price > (pricePerCycle ?? 0) + CENT)
        blame(`${goal} was switched on for ${price}, the preview showed ${pricePerCycle}`);
    }
  }

  /** The goals of the orders that proxies belong to. */
  function goalsOf(ipAddressIds: readonly string[]): Set<string> {
    const rows = account.proxies().filter((one) => ipAddressIds.includes(one.ipAddressId));
    const numbers = new Set(rows.map(({ orderNumber }) => orderNumber));
    const orders = account.orders().filter((one) => numbers.has(one.orderNumber));
    return new Set(orders.filter(({ origin }) => origin === "api").map(({ goal }) => goal));
  }

  /** If a price has moved since it was confirmed, nobody is at fault: a cancelled run may buy long afterwards. */
  function lookBack(asked: { price: number | undefined; moves: number } | undefined) {
    const moved = asked !== undefined && priceMoves() > asked.moves;
    return { confirmed: asked?.price, moved };
  }

  return {
    interpose(run, real) {
      /** The price that the service has confirmed for each request, and how often prices had moved by then. */
      const confirmed = new Map<string, { price: number | undefined; moves: number }>();
      const confirm = (key: string, price: number | null) =>
        confirmed.set(key, { price: price ?? undefined, moves: priceMoves() });
      return {
        ...real,

        async calculateOrder(request) {
          const answer = await real.calculateOrder(request);
          confirm(JSON.stringify([nameOf(request.goal), request.quantity]), answer.price);
          return answer;
        },

        async calculateExtension(request) {
          const answer = await real.calculateExtension(request);
          confirm(request.ipAddressIds.toSorted().join(), answer.price);
          return answer;
        },

        async setAutoExtension(request) {
          const { ipAddressIds, autoExtend } = request;
          if (autoExtend) {
            const price = confirmed.get(ipAddressIds.toSorted().join())?.price;
            for (const goal of goalsOf(ipAddressIds)) judgeRenewal(run, goal, price);
          }
          return await real.setAutoExtension(request);
        },

        async createOrder(request, options) {
          const { quantity } = request;
          const goal = nameOf(request.goal);
          const since = account.ledger().length;
          try {
            return await real.createOrder(request, options);
          } finally {
            const own = new Set(
              account.orders().flatMap((one) => (one.goal === goal ? one.orderNumber : [])),
            );
            const isOwn = (entry: LedgerEntry) =>
              entry.kind === "order" && own.has(entry.orderNumber) && entry.quantity === quantity;
            const price = findCharge(since, isOwn);
            if (price !== undefined) {
              const asked = confirmed.get(JSON.stringify([goal, quantity]));
              const charge = { price, quantity, ...lookBack(asked) };
              judge(run, owners.ofOrder(goal), goal, charge);
            }
          }
        },

        async extend(request, options) {
          const { ipAddressIds, rentPeriodDays } = request;
          const since = account.ledger().length;
          const before = account.proxies().filter((one) => ipAddressIds.includes(one.ipAddressId));
          const numbers = new Set(before.map(({ orderNumber }) => orderNumber));
          const order = account.orders().find((one) => numbers.has(one.orderNumber));
          const { goal = "", origin } = order ?? {};
          try {
            return await real.extend(request, options);
          } finally {
            const isOwn = (entry: LedgerEntry) =>
              entry.kind === "extension" && numbers.has(entry.orderNumber);
            let price = findCharge(since, isOwn);
            // The service charges the proxies of each order separately.
            for (let more = price; more !== undefined; ) {
              more = findCharge(since, isOwn);
              if (price !== undefined && more !== undefined) price += more;
            }
            if (price !== undefined) {
              const asked = confirmed.get(ipAddressIds.toSorted().join());
              // The preview shows the quantity of all rounds together, so the quantity of one round is not compared.
              const charge = { price, quantity: 0, ...lookBack(asked) };
              judge(run, owners.ofExtension(goal), `extension of ${goal}`, charge);
              // An order that somebody else bought at the same moment can't be told from ours, so a resource may hold
              // it. Its end is not checked.
              const throughMs = origin === "api" ? owners.paidThroughMs(goal) : Number.MAX_VALUE;
              const paid = before.filter(({ dateEnd }) => Date.parse(dateEnd) >= throughMs);
              for (const { ipAddressId, dateEnd } of paid) {
                blame(
                  `${ipAddressId} of ${goal} was paid until ${dateEnd}, and ${rentPeriodDays} days more were bought`,
                );
              }
            }
          }
        },
      };
    },
  };
}
