import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Fault } from "../../simulator/index.ts";
import { type CoreScene, createCoreScene, onlyOrder } from "./core-scene.ts";
import { expectDone, expectInvariants } from "./invariants.ts";
import { openWrongClock } from "./wrong-clock.ts";

const HOUR_MS = 60 * 60 * 1000;

const DAY_MS = 24 * HOUR_MS;

const page = z.looseObject({
  data: z.looseObject({
    totalElements: z.number(),
    content: z.array(z.looseObject({ dateEnd: z.string().optional() })),
  }),
});

type Page = z.infer<typeof page>["data"];

function patchListing(scene: CoreScene, change: (data: Page) => object): void {
  const patch = (answer: unknown) => {
    const { data, ...rest } = page.parse(answer);
    return { ...rest, data: { ...data, ...change(data) } };
  };
  scene.simulator.addFault({
    ...{ endpoint: "listProxies", phase: "after" },
    fault: { kind: "answer", patch },
  });
}

describe("19: the order number differs from the listing's order id", () => {
  const simulator = { orderNumberDiffersFromOrderId: true };

  it.each([
    ["19 A: one order", { a: {} }],
    ["19 B: orders of the same and of other kinds", { a: {}, b: {}, c: {}, d: { country: "DEU" } }],
  ])("%s: recognised as the new one in the listing", async (_row, program) => {
    const scene = await createCoreScene({ simulator, program });
    expectDone(await scene.up());
    const mapped = Array.from(scene.kept.values(), ({ outputs }) => [
      outputs.orderNumber,
      ...outputs.orderIds,
    ]);
    const made = scene.simulator.orders().map((one) => [one.orderNumber, one.orderId]);
    expect(new Set(mapped.map(String))).toEqual(new Set(made.map(String)));
    const charges = scene.simulator.ledger().map(({ price }) => price);
    expect(charges).toHaveLength(Object.keys(program).length);
    await expectInvariants(scene, { charges });
  });

  it("19 C: and the answer is lost: placed, under the id of the listing", async () => {
    const scene = await createCoreScene({ simulator });
    scene.simulator.addFault({
      ...{ endpoint: "createOrder", calls: [1], phase: "after" },
      fault: { kind: "reset" },
    });
    expectDone(await scene.up());
    expect(scene.kept.get("fleet")?.outputs.orderIds).toEqual([onlyOrder(scene.simulator).orderId]);
    await expectInvariants(scene, { charges: ["7.00"] });
  });
});

it.each([
  ["75 A: by four seconds, each is found", 4_000, true],
  ["75 B: by an hour, no wrong pair without an error", HOUR_MS, false],
])(
  "several like orders under other ids, while the Date of the listing jumps to and fro %s",
  async (_row, jumpMs, isSure) => {
    let answers = 0;
    const scene = await createCoreScene({
      simulator: { orderNumberDiffersFromOrderId: true },
      program: { a: {}, b: {}, c: {}, d: {} },
      reach: (baseUrl) =>
        openWrongClock(baseUrl, (told) => new Date(told.getTime() - (answers++ % 2) * jumpMs)),
    });
    const { failed, text } = await scene.up();
    const made = new Map(scene.simulator.orders().map((one) => [one.orderNumber, one.orderId]));
    for (const { outputs } of scene.kept.values()) {
      if (outputs.status !== "active") continue;
      expect(outputs.orderIds).toEqual([made.get(outputs.orderNumber)]);
    }
    if (isSure) expect(failed).toBe(false);
    else if (failed)
      expect(text).toMatch(/DELIVERY_PENDING|LISTING_INCONSISTENT|ORDER_MAY_BE_PAID/);
    expect(new Set(scene.simulator.ledger().map(({ orderNumber }) => orderNumber)).size).toBe(
      scene.simulator.ledger().length,
    );
    expect(scene.simulator.ledger().length).toBeLessThanOrEqual(4);
  },
);

it("20: twelve identical orders in one run, listed under other ids, and an answer lost: each claimed once", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `usa${index}`);
  const scene = await createCoreScene({
    simulator: { orderNumberDiffersFromOrderId: true },
    program: Object.fromEntries(names.map((name) => [name, {}])),
  });
  const fault = { kind: "reset" } as const;
  scene.simulator.addFault({ endpoint: "createOrder", calls: [6], phase: "after", fault });
  expectDone(await scene.up());
  expectEachClaimedOnce(scene);
  await expectInvariants(scene, { charges: names.map(() => "7.00") });
});

it("275: an order is listed under another id only while the next one, whose answer was lost, is looked for: both are claimed", async () => {
  const scene = await createCoreScene({
    simulator: { orderNumberDiffersFromOrderId: true, deliveryDelayMs: 20_000 },
    program: { a: {}, b: {} },
  });
  const fault = { kind: "reset" } as const;
  scene.simulator.addFault({ endpoint: "createOrder", calls: [2], phase: "after", fault });
  expectDone(await scene.up());
  expectEachClaimedOnce(scene);
  await expectInvariants(scene, { charges: ["7.00", "7.00"] });
});

/** Each order of the account must be in the state of one resource. */
function expectEachClaimedOnce({ kept, simulator }: CoreScene): void {
  const made = simulator.orders().map(({ orderId }) => orderId);
  const claimed = Array.from(kept.values(), ({ outputs }) => String(outputs.orderIds));
  expect(claimed.toSorted()).toEqual(made.toSorted());
}

/** Buys one order, breaks the listing, and refreshes. The state must keep the order. */
async function expectStateStays(
  breakListing: (scene: CoreScene) => void,
  said: RegExp,
): Promise<void> {
  const scene = await createCoreScene({ simulator: { pageCap: 2 } });
  await scene.up();
  const before = scene.kept.get("fleet");
  breakListing(scene);
  const { failed, text } = await scene.refresh();
  expect(failed).toBe(true);
  expect(text).toMatch(said);
  expect(text).toContain(onlyOrder(scene.simulator).orderNumber);
  expect(scene.kept.get("fleet")).toEqual(before);
  await expectInvariants(scene, { charges: ["7.00"] });
  expectDone(await scene.refresh());
  expect(scene.kept.get("fleet")?.outputs.status).toBe("active");
}

describe("31: an inconsistent listing decides nothing: the state stays", () => {
  it("31 A: page 2 fails", async () => {
    const calls = Array.from({ length: 50 }, (_, index) => index + 2);
    const fault: Fault = { kind: "status", status: 500 };
    await expectStateStays(
      ({ simulator }) =>
        simulator.addFault({ endpoint: "listProxies", calls, phase: "before", fault }),
      /SERVICE_HTTP_STATUS/,
    );
  });

  it("31 B: totals change", async () => {
    let more = 0;
    await expectStateStays(
      (scene) =>
        patchListing(scene, ({ totalElements }) => ({ totalElements: totalElements + more++ })),
      /LISTING_INCONSISTENT: .*(its total changed|it promised)/,
    );
  });

  it("31 C: a row appears twice, and another not at all", async () => {
    const seen: Page["content"] = [];
    await expectStateStays(
      (scene) =>
        patchListing(scene, ({ content }) => {
          seen.push(...content);
          return { content: content.map((row) => seen[0] ?? row) };
        }),
      /LISTING_INCONSISTENT: .*a proxy is listed twice/,
    );
  });
});

it("32: an empty listing with success: the state stays, and the error says why", async () => {
  await expectStateStays(
    (scene) => patchListing(scene, () => ({ content: [], totalElements: 0, totalPages: 0 })),
    /ORDER_MISSING: 5 of the 5 proxies of order \d+ are missing/,
  );
});

describe("33: proxies expire", () => {
  it("33 A: all, and they are no longer listed: gone, and a priced purchase in the plan", async () => {
    const scene = await createCoreScene();
    await scene.up();
    scene.clock.skip(31 * DAY_MS);
    await expectGone(scene);
  });

  it("33 B: all, and they are still listed: gone, and a priced purchase in the plan", async () => {
    const scene = await createCoreScene();
    await scene.up();
    let listed: Partial<Page> = {};
    patchListing(scene, (data) => {
      listed = data;
      return {};
    });
    await scene.refresh();
    scene.simulator.clearFaults();
    scene.clock.skip(31 * DAY_MS);
    patchListing(scene, () => listed);
    await expectGone(scene);
  });

  it("33 C: part of them: the others are kept, and nothing is bought without a plan", async () => {
    const scene = await createCoreScene();
    await scene.up();
    const ids = scene.simulator.proxies().map(({ ipAddressId }) => ipAddressId);
    scene.simulator.setAutoExtension(ids.slice(2), true);
    scene.clock.skip(30 * DAY_MS - HOUR_MS / 2);
    expectDone(await scene.refresh());
    scene.clock.skip(HOUR_MS);
    expectDone(await scene.refresh());
    expect(scene.kept.get("fleet")?.outputs).toMatchObject({ quantity: 3, holdings: { held: 3 } });
    scene.rewrite({ fleet: { quantity: 3 } });
    await expectInvariants(scene, { charges: ["7.00"] });
  });
});

async function expectGone(scene: CoreScene): Promise<void> {
  expectDone(await scene.refresh());
  expect(scene.kept.size).toBe(0);
  const { checked } = await scene.preview();
  expect(checked.get("fleet")?.quote).toMatchObject({ effect: "buy", price: 7 });
  expect(scene.simulator.requestCounts().createOrder).toBe(1);
  scene.simulator.clearFaults();
  await scene.up();
  await expectInvariants(scene, { charges: ["7.00", "7.00"], ended: 1 });
}

describe.each([
  ["a day ahead", DAY_MS],
  ["a day behind", -DAY_MS],
])("39: this machine's clock is %s", (_skew, skewMs) => {
  it("39 A: the service's dates decide what has expired", async () => {
    const scene = await createCoreScene({ skewMs });
    await scene.up();
    scene.clock.skip(29.5 * DAY_MS);
    await scene.refresh();
    expect(scene.kept.size).toBe(1);
    await expectInvariants(scene, { charges: ["7.00"] });
    scene.clock.skip(0.6 * DAY_MS);
    await expectGone(scene);
  });

  it("39 B: a purchase without an answer is still found", async () => {
    const scene = await createCoreScene({ skewMs });
    const fault = { kind: "reset" } as const;
    scene.simulator.addFault({ endpoint: "createOrder", calls: [1], phase: "after", fault });
    expectDone(await scene.up());
    await expectInvariants(scene, { charges: ["7.00"] });
  });

  it("39 C: an unknown order stops the purchase, dated by the service's clock", async () => {
    const scene = await createCoreScene({ skewMs });
    const item = { proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 } as const;
    const { orderNumber } = scene.simulator.placeForeignOrder(item);
    scene.clock.skip(20 * 60_000);
    expect((await scene.up()).text).toContain(`order ${orderNumber}`);
    await expectInvariants(scene, { charges: [], again: "stopped" });
    scene.clock.skip(11 * 60_000);
    await expectInvariants(scene, { charges: [], again: ["7.00"] });
  });
});

it("39 D: the listing has no ends: nothing has ended, whatever this machine's clock says", async () => {
  const scene = await createCoreScene({ skewMs: 365 * DAY_MS });
  patchListing(scene, ({ content }) => ({
    content: content.map(({ dateEnd: _, ...row }) => row),
  }));
  await scene.up();
  expect(scene.kept.get("fleet")?.outputs.expiresAt).toBeUndefined();
  expectDone(await scene.refresh());
  expect(scene.kept.get("fleet")?.outputs).toMatchObject({ status: "active", quantity: 5 });
  await expectInvariants(scene, { charges: ["7.00"] });
});
