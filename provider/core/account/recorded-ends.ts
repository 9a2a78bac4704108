import type { ProxyType, RentedProxy } from "../../client/index.ts";
import type { Journal } from "../journal/journal.ts";
import { type KnownProxy, namesOfProxy, toKnown } from "../proxies/address.ts";
import {
  isExtensionIntent,
  isOrderIntent,
  isPlaced,
  listedNamesOf,
  type OrderIntent,
  ofType,
  sentBetween,
} from "../records/intent.ts";
import type { KnownFlag } from "../records/known-flag.ts";
import type { AccountFact } from "../records/run-fact.ts";
import { endOfPeriod, laterEnd } from "../values/dates.ts";
import type { RunTalk } from "./run-talk.ts";

/** A proxy as any state records it. */
export type RecordedProxy = Pick<
  RentedProxy,
  "ipAddressId" | "ipAddressIp" | "httpsPort" | "dateEnd"
> &
  Pick<KnownProxy, "orderId">;

/**
 * The ends that are recorded of proxies, wherever. Ends do not move backwards, so a proxy is paid at least until any
 * recorded end.
 */
export interface RecordedEnds {
  /** Call this with what comes out of the engine's state. */
  saw(proxyType: ProxyType, proxies: readonly RecordedProxy[]): Promise<void>;
  /** What is recorded of the proxies of a type. Reads the journal too. */
  read(proxyType: ProxyType): Promise<Recorded>;
  /** Call this with what another process of the run has told. */
  hear(fact: AccountFact): void;
}

/** What is recorded of proxies in states, in the journal and by this run. */
export interface Recorded {
  /** The latest recorded end; undefined if none is recorded. */
  endOf(proxy: RecordedProxy): string | undefined;
  /** What this package knows of its auto-extension because it has switched it, under whichever id it did so last. */
  flagOf(proxy: RecordedProxy): KnownFlag | undefined;
  /** What is recorded of all proxies of an order, for those who do not know them. */
  ofOrder(names: readonly string[]): RecordedOrder;
}

/** What is recorded of the proxies of an order. */
export interface RecordedOrder {
  /** The latest end that was listed of any of them, or was paid since; undefined if none is recorded. */
  dateEnd: string | undefined;
  /** The flags that this package has switched, each with the latest recorded end of its proxy. */
  flags: KnownFlag[];
}

/** Makes the memory of one run. */
export function createRecordedEnds(
  journal: Pick<Journal, "readAll" | "flags">,
  { tell, hear }: RunTalk,
): RecordedEnds {
  const seen = new Map<ProxyType, Map<string, string>>();

  function seenOf(proxyType: ProxyType): Map<string, string> {
    const ends = seen.get(proxyType) ?? new Map<string, string>();
    seen.set(proxyType, ends);
    return ends;
  }

  return {
    async saw(proxyType, proxies) {
      const ends = seenOf(proxyType);
      const news = new Map<string, string>();
      for (const proxy of proxies) {
        for (const name of [...namesOfProxy(toKnown(proxy)), ...namesOfItsOrder(proxy)]) {
          const before = ends.get(name);
          const end = keepLater(ends, name, proxy.dateEnd);
          if (end !== undefined && end !== before) news.set(name, end);
        }
      }
      if (news.size === 0) return;
      // If it can't be told, the other processes have the journal and the states that they meet.
      await tell({ kind: "ends", proxyType, ends: Object.fromEntries(news) }).catch(
        () => undefined,
      );
    },

    hear(fact) {
      if (fact.kind !== "ends") return;
      const ends = seenOf(fact.proxyType);
      for (const [name, end] of Object.entries(fact.ends)) keepLater(ends, name, end);
    },

    async read(proxyType) {
      await hear();
      const ends = new Map(seenOf(proxyType));
      const paid = ofType(await journal.readAll(), proxyType).filter(isPlaced);
      const endsOfOrders = readEndsOfOrders(paid.filter(isOrderIntent));
      for (const { purchase } of paid.filter(isExtensionIntent)) {
        const { rentPeriodDays } = purchase.request;
        for (const before of purchase.proxiesBefore) {
          if (before.dateEnd === undefined) continue;
          const paidTo = endOfPeriod(new Date(before.dateEnd), rentPeriodDays).earliest;
          const names = [...namesOfProxy(before), ...namesOfItsOrder(before)];
          for (const name of names) keepLater(ends, name, paidTo);
        }
      }
      const flags = new Map<string, KnownFlag>();
      for (const flag of (await journal.flags.readAll(proxyType)).values()) {
        for (const name of namesOfProxy(flag)) {
          const known = flags.get(name);
          if (known === undefined || known.turn <= flag.turn) flags.set(name, flag);
          keepLater(ends, name, flag.dateEnd);
        }
        for (const name of namesOfItsOrder(flag)) keepLater(ends, name, flag.dateEnd);
      }
      const latestOf = (names: readonly string[], known?: string) =>
        names.map((name) => ends.get(name)).reduce(laterEnd, known);
      /** Of a proxy that was written down under several ids, the newest. */
      const isNewest = (flag: KnownFlag) =>
        namesOfProxy(flag).every((name) => (flags.get(name)?.turn ?? 0) <= flag.turn);
      return {
        ofOrder: (names) => ({
          dateEnd: latestOf(names.map(orderName)),
          flags: [...new Set(flags.values())]
            .filter(({ orderId = "" }) => names.includes(orderId))
            .filter(isNewest)
            .map((flag) => ({ ...flag, dateEnd: latestOf(namesOfProxy(flag), flag.dateEnd) })),
        }),
        endOf: (proxy) =>
          laterEnd(
            latestOf(namesOfProxy(toKnown(proxy)), proxy.dateEnd),
            proxy.orderId === undefined ? undefined : endsOfOrders.get(proxy.orderId),
          ),
        flagOf: (proxy) =>
          namesOfProxy(toKnown(proxy))
            .flatMap((name) => flags.get(name) ?? [])
            .filter((flag) => !isOfAnotherOrder(flag, proxy))
            .toSorted((one, other) => other.turn - one.turn)[0],
      };
    },
  };
}

/** Until when orders are paid at the least, by their names in the listing. */
function readEndsOfOrders(paid: readonly OrderIntent[]): ReadonlyMap<string, string> {
  const ends = new Map<string, string>();
  for (const intent of paid) {
    const { rentPeriodDays } = intent.purchase.request;
    const { earliest } = endOfPeriod(sentBetween(intent).earliest, rentPeriodDays);
    for (const name of listedNamesOf(intent)) keepLater(ends, name, earliest);
  }
  return ends;
}

/** Whether a flag was written down of another order's proxy that had the same address. */
function isOfAnotherOrder(flag: KnownFlag, { ipAddressId, orderId }: RecordedProxy): boolean {
  if (flag.ipAddressId === ipAddressId) return false;
  return flag.orderId !== undefined && orderId !== undefined && flag.orderId !== orderId;
}

/** The name under which the latest end of its order's proxies is kept; none if its order is not known. */
function namesOfItsOrder({ orderId }: Pick<KnownProxy, "orderId">): string[] {
  return orderId === undefined ? [] : [orderName(orderId)];
}

/** No proxy is called so. */
function orderName(orderId: string): string {
  return `order ${orderId}`;
}

function keepLater(
  ends: Map<string, string>,
  name: string,
  dateEnd: string | undefined,
): string | undefined {
  const later = laterEnd(ends.get(name), dateEnd);
  if (later !== undefined) ends.set(name, later);
  return later;
}
