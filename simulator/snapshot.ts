import { z } from "zod";
import { accountNamePattern } from "./account/account-book.ts";
import { AccountRecord } from "./account/account-record.ts";
import { mostLiveProxies } from "./live/live-proxies.ts";
import type { Service } from "./service.ts";

const SnapshotSchema = z.strictObject({
  version: z.literal(1),
  /** The service's time. */
  at: z.iso.datetime(),
  /** By name, the first account first. */
  accounts: z
    .record(z.string().regex(accountNamePattern), AccountRecord)
    .refine((accounts) => Object.keys(accounts).length > 0, "at least one account is expected"),
});

/** All accounts of a simulator at a moment, as plain data. It holds no keys, no settings and no faults. */
export type Snapshot = z.infer<typeof SnapshotSchema>;

/** Calls that were put off are not carried out yet. A snapshot would lose them. */
export class UnsettledError extends Error {}

export function saveSnapshot({ accounts, clock }: Service): Snapshot {
  accounts.settle();
  const late = accounts.all().reduce((sum, { schedule }) => sum + schedule.putOffCount, 0);
  if (late > 0) {
    throw new UnsettledError(
      `${late} ${late === 1 ? "call is" : "calls are"} still to be carried out late; advance the clock past that first`,
    );
  }
  return {
    version: 1,
    at: clock.now().toISOString(),
    accounts: Object.fromEntries(accounts.all().map(({ name, record }) => [name, record])),
  };
}

/** Throws a TypeError that names the first wrong field. Then nothing has changed. */
export function loadSnapshot({ accounts, clock, live }: Service, snapshot: unknown): void {
  const { data, error } = SnapshotSchema.safeParse(snapshot);
  if (data === undefined) throw new TypeError(`This is no snapshot: ${z.prettifyError(error)}`);
  if (live !== undefined) requireRoom(data);
  clock.setTo(new Date(data.at));
  accounts.load(data.accounts);
}

function requireRoom({ accounts }: Snapshot): void {
  const living = Object.values(accounts)
    .flatMap(({ orders }) => orders.flatMap(({ proxies }) => proxies))
    .filter(({ state }) => state !== "expired").length;
  if (living <= mostLiveProxies) return;
  throw new TypeError(
    `This snapshot holds ${living} proxies that have not ended, and at most ${mostLiveProxies} can be live`,
  );
}
