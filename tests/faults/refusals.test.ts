import dns from "node:dns";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import { createCoreScene, onlyOrder } from "./core-scene.ts";
import { expectInvariants } from "./invariants.ts";
import { readIntents } from "./journal-files.ts";

afterEach(() => void vi.restoreAllMocks());

const firstOrder = { endpoint: "createOrder", calls: [1] } as const;

/** Calls `run` after the last price and the listing were read, right before the order. */
function rightBeforeOrder(simulator: Simulator, run: () => void): void {
  const listingRead = () => simulator.requests().some(isEndedListing);
  simulator.addFault({
    ...{ endpoint: "calculateOrder", calls: [2], phase: "after" },
    fault: { kind: "act", run: () => vi.waitUntil(listingRead).then(run) },
  });
}

const isEndedListing = ({ endpoint, endedAtMs }: ReturnType<Simulator["requests"]>[number]) =>
  endpoint === "listProxies" && endedAtMs !== undefined;

describe("1: the order is never sent: a plain error, and nothing in the journal", () => {
  it("1 A: connection refused", async () => {
    const scene = await createCoreScene();
    rightBeforeOrder(scene.simulator, () => scene.simulator.refuseConnections());
    const { text } = await scene.up();
    expect(text).toContain("SERVICE_UNREACHABLE");
    expect(text).toContain("Nothing was bought by this call");
    expect(await readIntents(scene.journalDir)).toEqual([]);
    expect(scene.simulator.requestCounts().createOrder).toBe(0);
    await scene.simulator.acceptConnections();
    await expectInvariants(scene, { charges: [], again: ["7.00"] });
  });

  it("1 B: the host's name is no longer known", async () => {
    const { lookup } = dns;
    let known = true;
    const resolve = (_name: string, ...rest: unknown[]) =>
      Reflect.apply(lookup, dns, [known ? "127.0.0.1" : "nowhere.invalid", ...rest]);
    vi.spyOn(dns, "lookup").mockImplementation(resolve as typeof lookup);
    const scene = await createCoreScene({
      reach: (baseUrl) => baseUrl.replace("127.0.0.1", "proxies.test"),
    });
    rightBeforeOrder(scene.simulator, () => {
      known = false;
    });
    const { text } = await scene.up();
    expect(text).toContain("SERVICE_UNREACHABLE");
    expect(await readIntents(scene.journalDir)).toEqual([]);
    known = true;
    await expectInvariants(scene, { charges: [], again: ["7.00"] });
  });
});

describe("10: 429", () => {
  it.each([undefined, 1])(
    "10 A: to the order (Retry-After: %s): not sent again",
    async (seconds) => {
      const scene = await createCoreScene({ timeoutMs: 3_000 });
      const fault = { kind: "status", status: 429, retryAfterSeconds: seconds } as const;
      scene.simulator.addFault({ ...firstOrder, phase: "before", fault });
      expect((await scene.up()).text).toContain("ORDER_NOT_PLACED");
      await expectInvariants(scene, { charges: [], orderCalls: 1, again: ["7.00"] });
    },
  );

  it.each([undefined, 2])("10 B: to reads (Retry-After: %s): they back off", async (seconds) => {
    const scene = await createCoreScene({ timeoutMs: 5_000 });
    const fault = { kind: "status", status: 429, retryAfterSeconds: seconds } as const;
    for (const endpoint of ["calculateOrder", "listProxies"] as const) {
      scene.simulator.addFault({ endpoint, calls: [1, 2], phase: "before", fault });
    }
    const { failed, tookMs } = await scene.up();
    expect(failed).toBe(false);
    if (seconds !== undefined) expect(tookMs).toBeGreaterThanOrEqual(2 * seconds * 1000);
    await expectInvariants(scene, { charges: ["7.00"] });
  });
});

it("12: refused with code 14: an error with the code, nothing charged, the intent closed", async () => {
  const scene = await createCoreScene();
  scene.simulator.addFault({
    ...{ ...firstOrder, phase: "before" },
    fault: { kind: "refuse", code: 14 },
  });
  const { text } = await scene.up();
  expect(text).toContain("SERVICE_REFUSED");
  expect(text).toContain("code 14");
  expect(await readIntents(scene.journalDir)).toMatchObject([
    { phase: "closed", closedBecause: "rejected" },
  ]);
  await expectInvariants(scene, { charges: [], orderCalls: 1, again: ["7.00"] });
});

describe("14: a promo code that is not valid", () => {
  it("14 A: at order time only: the order is kept, with a warning", async () => {
    const scene = await createCoreScene({ program: { fleet: { promoCode: "SPRING10" } } });
    const patch = (answer: object) => ({ ...answer, promoCodeStatus: "NO_VALID" });
    scene.simulator.addFault({
      ...{ ...firstOrder, phase: "after" },
      fault: { kind: "answer", patch },
    });
    const { failed, text } = await scene.up();
    expect(failed).toBe(false);
    expect(text).toContain("did not take effect (the service says NO_VALID of it)");
    await expectInvariants(scene, { charges: ["6.30"] });
  });

  it("14 B: at quote time: refused, no call", async () => {
    const scene = await createCoreScene({ program: { fleet: { promoCode: "NOSUCH" } } });
    expect((await scene.preview()).text).toContain("the promo code is not valid (NO_VALID)");
    await expectInvariants(scene, { charges: [], again: "stopped" });
    scene.rewrite({ fleet: {} });
    await expectInvariants(scene, { charges: [], again: ["7.00"] });
  });
});

describe("15: the price rises", () => {
  it("15 A: between preview and order: above the previewed price, no call", async () => {
    const scene = await createCoreScene();
    await scene.preview();
    scene.simulator.setPriceFactor("IPv4", "1.01");
    expect((await scene.up()).text).toContain("PRICE_ROSE");
    scene.simulator.setPriceFactor("IPv4", "1");
    await expectInvariants(scene, { charges: [], again: ["7.00"] });
  });

  it("15 B: between the plan and the order of one run: no call", async () => {
    const scene = await createCoreScene();
    rightBeforeSecondQuote(scene.simulator, () => scene.simulator.setPriceFactor("IPv4", "1.01"));
    expect((await scene.up()).text).toContain("PRICE_ROSE");
    scene.simulator.setPriceFactor("IPv4", "1");
    await expectInvariants(scene, { charges: [], again: ["7.00"] });
  });

  it("15 C: above a cap: no call", async () => {
    const scene = await createCoreScene({ program: { fleet: { maxPrice: 7 } } });
    scene.simulator.setPriceFactor("IPv4", "1.01");
    expect((await scene.up()).text).toContain("above the 7.00 USD that is allowed");
    scene.simulator.setPriceFactor("IPv4", "1");
    await expectInvariants(scene, { charges: [], again: ["7.00"] });
  });
});

function rightBeforeSecondQuote(simulator: Simulator, run: () => void): void {
  const fault = { kind: "act", run } as const;
  simulator.addFault({ endpoint: "calculateOrder", calls: [2], phase: "before", fault });
}

it("16: somebody else spends the balance: the service's error, no order, the intent closed", async () => {
  const scene = await createCoreScene({ simulator: { balance: "10.00" } });
  const item = { proxyType: "IPv4", country: "DEU", quantity: 3, rentPeriodDays: 30 } as const;
  scene.simulator.addFault({
    ...{ ...firstOrder, phase: "before" },
    fault: { kind: "foreignOrder", item },
  });
  expect((await scene.up()).text).toContain("code 16");
  expect(await readIntents(scene.journalDir)).toMatchObject([{ closedBecause: "rejected" }]);
  expect(scene.simulator.balance()).toBe("5.59");
  scene.simulator.setBalance("7.00");
  await expectInvariants(scene, { charges: [], orderCalls: 1, paidIn: "1.41", again: ["7.00"] });
});

it("40: the key is revoked during the run: all buying stops, and paid orders are kept", async () => {
  const names = ["a", "b", "c"];
  const program = Object.fromEntries(names.map((name) => [name, {}]));
  const scene = await createCoreScene({ program });
  const { simulator } = scene;
  const revoke = () => {
    const fault = { kind: "refuse", code: 2 } as const;
    simulator.addFault({ endpoint: "any", phase: "before", fault });
  };
  simulator.addFault({ ...firstOrder, phase: "after", fault: { kind: "act", run: revoke } });
  const { text } = await scene.up();
  expect(text).toContain("API_KEY_REJECTED");
  const [paid] = scene.kept.values();
  expect(paid?.outputs).toMatchObject({
    status: "pendingDelivery",
    orderNumber: onlyOrder(simulator).orderNumber,
  });
  // The service refuses the second order, and after that the run does not send the third one.
  await expectInvariants(scene, { charges: ["7.00"], orderCalls: 2, again: ["7.00", "7.00"] });
});

describe("45: an impossible value is refused before anything is sent", () => {
  it.each([
    ["a goal of 4 KB", { goal: "x".repeat(4096) }, "goal"],
    ["a huge quantity", { quantity: 1_000_000_000 }, "quantity"],
    ["a quantity that is no number", { quantity: Number.NaN }, "quantity"],
    ["a quantity with a fraction", { quantity: 1.5 }, "quantity"],
  ])("45 A: %s", async (_what, args, named) => {
    const scene = await createCoreScene({ program: { fleet: args } });
    const { failed, text } = await scene.up();
    expect(failed).toBe(true);
    expect(text).toContain(named);
    await expectInvariants(scene, { charges: [], again: "stopped" });
  });

  it.each(["NaN", null, -1, 0, "many"])("45 B: the price %s", async (price) => {
    const scene = await createCoreScene();
    const patch = (answer: object) => ({ ...answer, price });
    const fault = { kind: "answer", patch } as const;
    scene.simulator.addFault({ endpoint: "calculateOrder", phase: "after", fault });
    expect((await scene.up()).failed).toBe(true);
    await expectInvariants(scene, { charges: [], again: ["7.00"] });
  });

  it("45 C: a negative balance", async () => {
    const scene = await createCoreScene({ simulator: { balance: "-5.00" } });
    expect((await scene.up()).text).toContain("balance");
    scene.simulator.setBalance("7.00");
    await expectInvariants(scene, { charges: [], paidIn: "12.00", again: ["7.00"] });
  });
});
