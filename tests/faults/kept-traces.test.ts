import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { openSharedJournal } from "../../provider/journals/open-journal.ts";
import { openStore } from "../journals/open-store.ts";
import type { Interposition, OpenJournal } from "../support/account.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import type { VirtualClock } from "../support/virtual-clock.ts";
import { createMachine, deploy, linesOf, payInAtLook } from "./machine.ts";

const MINUTE_MS = 60_000;

const slow = { deliveryDelayMs: 30 * MINUTE_MS };

const lost = { calls: [1], phase: "after", fault: { kind: "reset" } } as const;

async function shareJournal(clock: VirtualClock): Promise<OpenJournal> {
  const documents = await openStore(pathToFileURL(await makeTemporaryFolder()).href, clock);
  return (place, own) => openSharedJournal({ documents, isProbed: false }, place, own);
}

describe("184: what a look has seen of a purchase is kept, however the run ends that has looked", () => {
  test("184 A: on a shared journal, its turn is over before the delivery is; then somebody pays in", async () => {
    const machine = await createMachine(slow);
    const openJournal = await shareJournal(machine.clock);
    machine.simulator.addFault({ ...lost, endpoint: "createOrder" });
    const told = await linesOf(machine.begin({ openJournal }), undefined);
    expect(told).toContain("ORDER_OUTCOME_UNKNOWN");
    machine.simulator.setBalance(1000);
    const said = await linesOf(machine.begin({ openJournal }), undefined);
    expect(machine.simulator.orders(), said).toHaveLength(1);
  });

  test("184 B: it is killed while it watches; then somebody pays in", async () => {
    const machine = await createMachine(slow);
    machine.simulator.addFault({ ...lost, endpoint: "createOrder" });
    const death = Promise.withResolvers<void>();
    let looks = 0;
    const interpose: Interposition = {
      service: (real) => ({
        ...real,
        async getBalance() {
          looks += 1;
          if (looks < 5) return real.getBalance();
          death.resolve();
          return new Promise<never>(() => undefined);
        },
      }),
    };
    deploy(machine.begin({ interpose }), undefined).catch(death.reject);
    await death.promise;
    machine.clock.advance(10 * MINUTE_MS);
    machine.simulator.setBalance(1000);
    const said = await linesOf(machine.begin(), undefined);
    expect(machine.simulator.orders(), said).toHaveLength(1);
  });

  test("184 C: somebody pays its price in with two payments, and the runs look after each of them", async () => {
    const machine = await createMachine(slow);
    machine.simulator.addFault({ ...lost, endpoint: "createOrder" });
    const interpose = payInAtLook(machine, 2, 999);
    const told = await linesOf(machine.begin({ interpose }), undefined);
    expect(told).toContain("ORDER_OUTCOME_UNKNOWN");
    machine.simulator.setBalance(1000);
    const said = await linesOf(machine.begin(), undefined);
    expect(machine.simulator.orders(), said).toHaveLength(1);
  });
});
