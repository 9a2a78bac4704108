import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { openSharedJournal } from "../../../provider/journals/open-journal.ts";
import { createMemoryStore } from "../../core/support/memory-store.ts";
import { failureOf, given } from "../../core/support/orders-under-test.ts";
import { createFastClock } from "../../faults/fast-clock.ts";
import { startForTest } from "../../simulator/start.ts";
import { beginAccountRun } from "../../support/account.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

const ownerIn = (stack: string) => `org/urn:pulumi:${stack}::fleet::proxyrental:ProxyOrder::fleet`;

/** A run of one stack that waits for its delivery, and what another stack wants: as much, or that very order. */
async function makeTwoStacks() {
  const clock = createFastClock();
  const simulator = await startForTest({ now: clock.now });
  const raw = createMemoryStore(clock.now);

  async function begin(isWaiting: boolean) {
    const beats: (() => Promise<void>)[] = [];
    const placed = Promise.withResolvers<void>();
    let isPlaced = false;
    const run = beginAccountRun({
      ...{ simulator, clock, journalDir: await makeTemporaryFolder() },
      openJournal: (place, own) => {
        const documents = openDocuments(raw, own);
        const repeat = (_everyMs: number, work: () => Promise<void>) => {
          beats.push(work);
          return () => void beats.splice(0);
        };
        return openSharedJournal({ documents, isProbed: false, repeat }, place, own);
      },
      interpose: {
        service: (real) => ({
          ...real,
          async createOrder(request, options) {
            const answer = await real.createOrder(request, options);
            isPlaced = true;
            return answer;
          },
          listProxies(request) {
            if (!isWaiting || !isPlaced) return real.listProxies(request);
            placed.resolve();
            return new Promise(() => undefined);
          },
        }),
      },
    });
    const beat = async () => {
      for (const work of beats) await work();
    };
    return { ...run, beat, placed: placed.promise };
  }

  const waiting = await begin(true);
  const theirs = await waiting.orders.check(ownerIn("theirs"), undefined, given());
  waiting.orders.create(theirs.checked).catch(() => undefined);
  await waiting.placed;
  clock.skip(5_000);
  const ours = await begin(false);
  const plan = async (args: object) => {
    const { checked, failures } = await ours.orders.check(ownerIn("ours"), undefined, given(args));
    expect(failures).toEqual([]);
    return checked;
  };
  const buying = await plan({});
  const [order] = simulator.orders();
  const adoption = { adoptOrderNumber: order?.orderId };
  return {
    ...{ simulator, clock, waiting },
    buy: () => ours.orders.create(buying),
    adopt: async () => ours.orders.create(await plan(adoption)),
    import: () => ours.orders.import(ownerIn("ours"), order?.orderId ?? ""),
  };
}

test("a run that waits for its delivery is known to go on, so another stack may buy the same", async () => {
  const { simulator, clock, waiting, buy } = await makeTwoStacks();
  clock.skip(20_000);
  await waiting.beat();
  expect((await buy()).quantity).toBe(5);
  expect(simulator.orders()).toHaveLength(2);
});

test("where its sign is missing, it is waited for, and comes", async () => {
  const { simulator, clock, waiting, buy } = await makeTwoStacks();
  const buying = buy();
  await turn();
  clock.skip(5_000);
  await waiting.beat();
  await buying;
  expect(simulator.orders()).toHaveLength(2);
});

test("one that was killed gives no sign: its order may be that of a renamed stack, and stops the purchase", async () => {
  const { simulator, clock, buy } = await makeTwoStacks();
  const beganMs = clock.elapsedMs();
  expect((await failureOf(buy())).code).toBe("ORDER_MAY_BE_PAID");
  expect(simulator.orders()).toHaveLength(1);
  expect(clock.elapsedMs() - beganMs).toBeLessThan(90_000);
});

test.each(["adopt", "import"] as const)(
  "what a run waits for is left to it: to %s it is refused",
  async (takeOver) => {
    const stacks = await makeTwoStacks();
    stacks.clock.skip(20_000);
    await stacks.waiting.beat();
    const failure = await failureOf(stacks[takeOver]());
    expect(failure.code).toBe("PURCHASE_IN_PROGRESS");
    expect(failure.message).toContain("Wait until that run has ended");
  },
);

test("once that run was killed, its order is taken over", async () => {
  const { simulator, clock, adopt } = await makeTwoStacks();
  clock.skip(5 * 60_000);
  expect((await adopt()).quantity).toBe(5);
  expect(simulator.orders()).toHaveLength(1);
});
