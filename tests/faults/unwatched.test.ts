import { expect, test } from "vitest";
import type { DocumentStore } from "../../provider/core/journal/document-store.ts";
import { JournalError, type ProxyService } from "../../provider/core/ports.ts";
import { serviceFailure } from "../core/support/fake-service.ts";
import { given } from "../core/support/orders-under-test.ts";
import { startForTest } from "../simulator/start.ts";
import { type AccountRun, beginAccountRun, type Interposition } from "../support/account.ts";
import { everybody } from "../support/presence.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { createFastClock } from "./fast-clock.ts";

const ownerIn = (stack: string) => `org/urn:pulumi:${stack}::fleet::proxyrental:ProxyOrder::fleet`;

/** An order gets no answer, and the journal can't be read when the run begins to look for it. */
function unwatched(): Interposition {
  let isAway = false;
  return {
    documents: (real: DocumentStore): DocumentStore => ({
      ...real,
      async read(name) {
        const isNow = isAway;
        isAway = false;
        if (isNow) throw new JournalError("unavailable", "the disk gave no answer");
        return real.read(name);
      },
    }),
    service: (real: ProxyService): ProxyService => ({
      ...real,
      async createOrder(request, options) {
        await real.createOrder(request, options);
        isAway = true;
        throw serviceFailure("unknown");
      },
    }),
  };
}

test.each([
  ["A", "another stack", "other", { country: "DEU" }, ["7.00", "7.35"]],
  ["B", "its own stack", "one", {}, ["7.00"]],
] as const)(
  "288: %s: an order could not be watched, and its run goes on with something else: the next run of %s judges it",
  async (_, _whose, stack, program, charges) => {
    const clock = createFastClock();
    const simulator = await startForTest({ now: clock.now });
    const journalDir = await makeTemporaryFolder();
    const begin = (interpose: Interposition = {}) =>
      beginAccountRun({ simulator, journalDir, clock, presence: everybody, interpose });
    const buy = async ({ orders }: AccountRun, owner: string, args: object) => {
      const { checked, failures } = await orders.check(owner, undefined, given(args));
      expect(failures).toEqual([]);
      return orders.create(checked as Parameters<typeof orders.create>[0]);
    };
    const underWay = async ({ account: { journal } }: AccountRun) =>
      Promise.all((await journal.readOpen()).map(journal.isUnderWay));

    await expect(buy(begin(unwatched()), ownerIn("one"), {})).rejects.toThrow(
      "it could not be watched to the end",
    );
    expect(await underWay(begin())).toEqual([true]);
    // The longest that its answer and its late effects may take is over.
    clock.skip(120_000);
    const next = begin();
    expect(await underWay(next)).toEqual([false]);
    await buy(next, ownerIn(stack), program);

    expect(simulator.ledger().map(({ price }) => price)).toEqual(charges);
    expect(next.lines.join("\n")).toContain("that earlier run has bought order");
    const kept = await next.account.journal.readAll();
    expect(kept.filter(({ phase }) => phase === "sending")).toEqual([]);
  },
);
