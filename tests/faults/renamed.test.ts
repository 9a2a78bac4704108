import { expect, test } from "vitest";
import { given } from "../core/support/orders-under-test.ts";
import { startForTest } from "../simulator/start.ts";
import { type AccountRun, beginAccountRun, type Interposition } from "../support/account.ts";
import { nobodyElse } from "../support/presence.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { createFastClock } from "./fast-clock.ts";

const ownerOf = (name: string) => `org/urn:pulumi:dev::fleet::proxyrental:ProxyOrder::${name}`;

test.each([
  ["A", "renamed", {}, "it was charged, and no such order is listed"],
  [
    "B",
    "renamed, and another quantity is declared",
    { quantity: 6 },
    "nobody knows yet what became of it",
  ],
])(
  "290: %s: an order is charged, and not listed yet, when its run is killed; then its resource is %s",
  async (_, _how, edit, reason) => {
    const clock = createFastClock();
    const simulator = await startForTest({ now: clock.now, deliveryDelayMs: 3_600_000 });
    const journalDir = await makeTemporaryFolder();
    const begin = (interpose: Interposition = {}) =>
      beginAccountRun({ simulator, journalDir, clock, presence: nobodyElse, interpose });
    const buy = async ({ orders }: AccountRun, name: string, args: object) => {
      const { checked, failures } = await orders.check(ownerOf(name), undefined, given(args));
      if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
      return orders.create(checked as Parameters<typeof orders.create>[0]);
    };

    const charged = Promise.withResolvers<void>();
    const killed = begin({
      service: (real) => ({
        ...real,
        async createOrder(request, options) {
          await real.createOrder(request, options);
          charged.resolve();
          return new Promise<never>(() => undefined);
        },
      }),
    });
    void buy(killed, "old", {});
    await charged.promise;
    clock.skip(200_000);

    await expect(buy(begin(), "new", edit)).rejects.toThrow(reason);
    expect(simulator.ledger().map(({ price }) => price)).toEqual(["7.00"]);
  },
);
