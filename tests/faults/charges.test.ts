import dns from "node:dns";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import { type CoreScene, createCoreScene, type Program } from "./core-scene.ts";
import { expectInvariants } from "./invariants.ts";
import { readIntents } from "./journal-files.ts";

afterEach(() => void vi.restoreAllMocks());

const firstOrder = { endpoint: "createOrder", calls: [1] } as const;

/** Declares this many orders with the same arguments. */
function manyOrders(count: number, args: object): Program {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index + 1}`, args]));
}

const free = { promoCode: "GRATIS100", maxPrice: 0 };

describe("56: a promo code with five uses and seven orders, free with it", () => {
  const settings = { maxSpend: 0 };

  it("56 A: the sixth order is refused at preview, and nothing is bought", async () => {
    const scene = await createCoreScene({ program: manyOrders(7, free), settings });
    const { failed, text } = await scene.preview();
    expect(failed).toBe(true);
    expect(text).toContain("has 5 uses left by the service's list, and this run plans 6");
    scene.rewrite(manyOrders(5, free));
    await expectInvariants(scene, { charges: [], again: Array(5).fill("0.00") });
  });

  it("56 B: if the list has no number of uses, the price is asked again and no order is charged in full", async () => {
    const scene = await createCoreScene({ program: manyOrders(7, free), settings });
    const patch = (answer: Readonly<Record<string, unknown>>) => ({ ...answer, promoCodes: [] });
    scene.simulator.addFault({
      ...{ endpoint: "listPromoCodes", phase: "after" },
      fault: { kind: "answer", patch },
    });
    const { failed, text } = await scene.up();
    expect(failed).toBe(true);
    expect(text).toContain("the promo code is not valid (NO_VALID)");
    expect(scene.simulator.ledger().map(({ price }) => price)).toEqual(Array(5).fill("0.00"));
    scene.rewrite(Object.fromEntries(Array.from(scene.kept.keys(), (name) => [name, free])));
    await expectInvariants(scene, { charges: Array(5).fill("0.00") });
  });

  it("56 C: somebody uses the code up between price and order: one charge, both amounts reported, and nothing more", async () => {
    const scene = await createCoreScene({ program: manyOrders(2, free), settings });
    // The plan asks once for both, and each order before the turn. The fourth is that of the first turn.
    rightAfterPrice(scene.simulator, 4, () => useUp(scene.simulator, "GRATIS100"));
    const { failed, text } = await scene.up();
    expect(failed).toBe(true);
    expect(text).toContain("did not take effect (the service says NO_VALID of it)");
    expect(text).toContain("0.00 USD were confirmed, and the balance fell by 7.00 USD");
    expect(text).toContain("BUYING_STOPPED");
    expect(onlyPurchase(scene.kept)).toMatchObject({ price: 0, charged: 7 });
    scene.rewrite(Object.fromEntries(Array.from(scene.kept.keys(), (name) => [name, free])));
    await expectInvariants(scene, { charges: ["7.00"] });
  });

  it("56 D: another run uses the code up between the price and the turn: the price is asked again in the turn, and nothing is charged", async () => {
    const scene = await createCoreScene({ program: manyOrders(1, free), settings });
    rightAfterPrice(scene.simulator, 2, () => useUp(scene.simulator, "GRATIS100"));
    const { failed, text } = await scene.up();
    expect(failed).toBe(true);
    expect(text).toContain("the promo code is not valid (NO_VALID)");
    expect(scene.kept.size).toBe(0);
    scene.rewrite({});
    await expectInvariants(scene, { charges: [] });
  });
});

describe("57: a price rises between confirmation and order", () => {
  const program = { a: {}, b: {} };

  it("57 A: 42 charged under maxSpend 14: recorded, reported, and the last of the run", async () => {
    const scene = await createCoreScene({ program, settings: { maxSpend: 14 } });
    rightBeforeOrder(scene.simulator, () => scene.simulator.setPriceFactor("IPv4", "6"));
    const { failed, text } = await scene.up();
    expect(failed).toBe(true);
    expect(text).toContain("7.00 USD were confirmed, and the balance fell by 42.00 USD");
    expect(text).toContain("BUYING_STOPPED");
    expect(onlyPurchase(scene.kept)).toMatchObject({ price: 7, charged: 42 });
    expect(await readIntents(scene.journalDir)).toMatchObject([{ price: 7, charged: 42 }]);
    scene.simulator.setPriceFactor("IPv4", "1");
    await expectInvariants(scene, { charges: ["42.00"], again: ["7.00"] });
  });

  it("57 B: and the answer has no balance: the account is asked for it", async () => {
    const scene = await createCoreScene({ program });
    rightBeforeOrder(scene.simulator, () => scene.simulator.setPriceFactor("IPv4", "6"));
    scene.simulator.addFault({
      ...{ ...firstOrder, phase: "after" },
      fault: { kind: "answer", patch: withoutBalance },
    });
    const { text } = await scene.up();
    expect(text).toContain("7.00 USD were confirmed, and the balance fell by 42.00 USD");
    expect(text).toContain("BUYING_STOPPED");
    scene.simulator.setPriceFactor("IPv4", "1");
    await expectInvariants(scene, { charges: ["42.00"], again: ["7.00"] });
  });

  it("57 C: and the answer is lost: found in the listing, recorded as charged, and the last of the run", async () => {
    const scene = await createCoreScene({ program });
    rightBeforeOrder(scene.simulator, () => scene.simulator.setPriceFactor("IPv4", "1.5"));
    scene.simulator.addFault({ ...firstOrder, phase: "after", fault: { kind: "reset" } });
    const { text } = await scene.up();
    expect(text).toContain("7.00 USD were confirmed, and the balance fell by 10.50 USD");
    expect(text).toContain("BUYING_STOPPED");
    scene.simulator.setPriceFactor("IPv4", "1");
    await expectInvariants(scene, { charges: ["10.50"], again: ["7.00"] });
  });
});

describe("58: somebody else changes the balance", () => {
  const item = { proxyType: "IPv4", country: "DEU", quantity: 1, rentPeriodDays: 30 } as const;

  it("58 A: during an order: reported, recorded, and nothing more is bought", async () => {
    const scene = await createCoreScene({ program: { a: {}, b: {} } });
    rightBeforeOrder(scene.simulator, () => scene.simulator.placeForeignOrder(item));
    const { failed, text } = await scene.up();
    expect(failed).toBe(true);
    expect(text).toContain("7.00 USD were confirmed, and the balance fell by 8.47 USD");
    expect(text).toContain("somebody else bought at the same time");
    await expectInvariants(scene, { charges: ["7.00"], again: ["7.00"] });
  });

  it("58 B: between price and turn: no difference, and everything is bought", async () => {
    const scene = await createCoreScene({ program: { a: {}, b: {} } });
    scene.simulator.addFault({
      ...{ endpoint: "calculateOrder", calls: [4], phase: "after" },
      fault: { kind: "foreignOrder", item },
    });
    const { failed, text } = await scene.up();
    expect(failed, text).toBe(false);
    await expectInvariants(scene, { charges: ["7.00", "7.00"] });
  });
});

describe("60: a failure without a reason, after the charge", () => {
  it("60 A: is not taken for a refusal: the order is found, and not sent again", async () => {
    const scene = await createCoreScene();
    const patch = { success: false, orderNumber: null, proxyType: null };
    scene.simulator.addFault({
      ...{ ...firstOrder, phase: "after" },
      fault: { kind: "answer", patch },
    });
    const { failed, text } = await scene.up();
    expect(failed, text).toBe(false);
    expect(text).toContain("success is false, yet no error is named");
    await expectInvariants(scene, { charges: ["7.00"] });
  });
});

describe("61: the turn is lost while an order connects", () => {
  it("61 A: nothing is sent, nothing stays in the journal, and the next run buys", async () => {
    const scene = await createCoreScene({
      reach: (baseUrl) => baseUrl.replace("127.0.0.1", "proxies.test"),
    });
    let heldUp = 0;
    onLookup(async () => {
      if ((await readIntents(scene.journalDir)).length === 0) return;
      heldUp += 1;
      await loseTurn(scene.journalDir);
    });
    const { failed, text } = await scene.up();
    expect(heldUp).toBe(1);
    expect(failed).toBe(true);
    expect(text).toContain("ACCOUNT_BUSY");
    expect(text).toContain("This purchase was not sent");
    expect(await readIntents(scene.journalDir)).toEqual([]);
    expect(scene.simulator.requestCounts().createOrder).toBe(0);
    vi.restoreAllMocks();
    onLookup(async () => undefined);
    await expectInvariants(scene, { charges: [], again: ["7.00"] });
  });
});

/** Calls `run` when the first order arrives: its price is confirmed, and it is not charged yet. */
function rightBeforeOrder(simulator: Simulator, run: () => unknown): void {
  simulator.addFault({ ...firstOrder, phase: "before", fault: { kind: "act", run } });
}

/** Calls `run` when a price was calculated, by its number, and before the answer arrives. */
function rightAfterPrice(simulator: Simulator, call: number, run: () => unknown): void {
  const rule = { endpoint: "calculateOrder", calls: [call], phase: "after" } as const;
  simulator.addFault({ ...rule, fault: { kind: "act", run } });
}

/** Makes a promo code used up, as if somebody else had used it. */
function useUp(simulator: Simulator, code: string): void {
  const snapshot = simulator.save();
  for (const account of Object.values(snapshot.accounts)) account.promoCodeUses[code] = 0;
  simulator.load(snapshot);
}

function withoutBalance({ balance: _left, ...answer }: Readonly<Record<string, unknown>>): object {
  return answer;
}

/** The purchase of the only order that is kept. */
function onlyPurchase(kept: CoreScene["kept"]) {
  const [purchase, ...others] = Array.from(
    kept.values(),
    ({ outputs }) => outputs.purchases,
  ).flat();
  if (purchase === undefined || others.length > 0) throw new Error("there is not exactly one");
  return purchase;
}

/** Resolves every host name to this machine, and calls `run` before each answer. */
function onLookup(run: () => Promise<void>): void {
  const { lookup } = dns;
  const resolve = (_name: string, ...rest: unknown[]) =>
    void run().then(() => Reflect.apply(lookup, dns, ["127.0.0.1", ...rest]));
  vi.spyOn(dns, "lookup").mockImplementation(resolve as typeof lookup);
}

/** Removes the lock of the turn, as another process does when it takes this one for dead. */
async function loseTurn(journalDir: string): Promise<void> {
  const names = await readdir(journalDir, { recursive: true });
  const [lock] = names.filter((name) => /\bruns\/[^/]+\.lock$/.test(name));
  if (lock === undefined) throw new Error("nobody has a turn");
  await rm(join(journalDir, lock), { recursive: true });
}
