import type { RentedProxy } from "../../client/index.ts";
import type { Journal } from "../journal/journal.ts";
import { addressOf } from "../proxies/address.ts";
import { isExtensionIntent, isPlaced } from "../records/intent.ts";
import type { KnownFlag } from "../records/known-flag.ts";
import type { AccountFact } from "../records/run-fact.ts";
import { endOfPeriod, laterEnd } from "../values/dates.ts";
import type { RunTalk } from "./run-talk.ts";

/** A proxy as any state records it. */
export type RecordedProxy = Pick<
  RentedProxy,
  "ipAddressId" | "ipAddressIp" | "httpsPort" | "dateEnd"
>;

/** Ends do not move backwards: what any record says of a proxy is the least that it is paid for. */
export interface RecordedEnds {
  /** To be called with what comes out of the engine's state. */
  saw(proxies: readonly RecordedProxy[]): Promise<void>;
  /** Reads what the journal tells too. */
  read(): Promise<Recorded>;
  /** To be called with what another process of the run has told. */
  hear(fact: AccountFact): void;
}

/** What is recorded of proxies, wherever. */
export interface Recorded {
  /** The latest end; undefined where none is recorded. */
  endOf(proxy: RecordedProxy): string | undefined;
  /** What this package knows of its auto-extension from having switched it. */
  flagOf(proxy: RecordedProxy): KnownFlag | undefined;
}

/** Makes the memory of one run. */
export function createRecordedEnds(
  journal: Pick<Journal, "readAll" | "flags">,
  { tell, hear }: RunTalk,
): RecordedEnds {
  const seen = new Map<string, string>();

  return {
    async saw(proxies) {
      const news = new Map<string, string>();
      for (const proxy of proxies) {
        for (const name of namesOf(proxy)) {
          const before = seen.get(name);
          const end = keepLater(seen, name, proxy.dateEnd);
          if (end !== undefined && end !== before) news.set(name, end);
        }
      }
      if (news.size === 0) return;
      // What can't be told leaves the other processes to the journal and to the states that they meet.
      await tell({ kind: "ends", ends: Object.fromEntries(news) }).catch(() => undefined);
    },

    hear(fact) {
      if (fact.kind !== "ends") return;
      for (const [name, end] of Object.entries(fact.ends)) keepLater(seen, name, end);
    },

    async read() {
      await hear();
      const ends = new Map(seen);
      for (const { purchase } of (await journal.readAll())
        .filter(isExtensionIntent)
        .filter(isPlaced)) {
        const { rentPeriodDays } = purchase.request;
        for (const { ipAddressId, address, dateEnd } of purchase.proxiesBefore) {
          if (dateEnd === undefined) continue;
          const paidTo = endOfPeriod(new Date(dateEnd), rentPeriodDays).earliest;
          for (const name of [ipAddressId, address]) keepLater(ends, name, paidTo);
        }
      }
      const flags = new Map<string, KnownFlag>();
      for (const flag of (await journal.flags.readAll()).values()) {
        for (const name of [flag.ipAddressId, flag.address]) {
          flags.set(name, flag);
          keepLater(ends, name, flag.dateEnd);
        }
      }
      return {
        endOf: (proxy) =>
          namesOf(proxy)
            .map((name) => ends.get(name))
            .reduce(laterEnd, proxy.dateEnd),
        flagOf: (proxy) => namesOf(proxy).flatMap((name) => flags.get(name) ?? [])[0],
      };
    },
  };
}

/** Its id, and its address where its port is told: without one, several may share it. */
function namesOf(proxy: RecordedProxy): string[] {
  const { ipAddressId, httpsPort } = proxy;
  return httpsPort === undefined ? [ipAddressId] : [ipAddressId, addressOf(proxy)];
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
