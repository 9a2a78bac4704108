import { describe, expect, it } from "vitest";
import { createCoreScene, onlyOrder } from "./core-scene.ts";
import { expectInvariants } from "./invariants.ts";

describe("17: the proxies come late", () => {
  it.each([0, 5, 60])("17 A: after %i s, within the timeout: the run waits", async (seconds) => {
    const scene = await createCoreScene({ simulator: { deliveryDelayMs: seconds * 1000 } });
    const { failed, tookMs } = await scene.up();
    expect(failed).toBe(false);
    expect(tookMs).toBeGreaterThanOrEqual(seconds * 1000);
    await expectInvariants(scene, { charges: ["7.00"] });
  });

  it("17 B: after 600 s, beyond the timeout: saved, the run fails, and the next up completes it", async () => {
    const scene = await createCoreScene({ simulator: { deliveryDelayMs: 600_000 } });
    const { failed, text, tookMs } = await scene.up();
    const { orderNumber } = onlyOrder(scene.simulator);
    expect(failed).toBe(true);
    expect(text).toContain(`DELIVERY_PENDING: order ${orderNumber}`);
    expect(tookMs).toBeLessThan(130_000);
    expect(scene.kept.get("fleet")?.outputs).toMatchObject({
      status: "pendingDelivery",
      orderNumber,
    });
    scene.clock.skip(600_000);
    await expectInvariants(scene, { charges: ["7.00"] });
    expect(scene.kept.get("fleet")?.outputs).toMatchObject({ status: "active" });
  });
});

describe("18: three of five proxies arrive", () => {
  it("18 A: saved, with a message, no purchase; a later up completes it", async () => {
    const deliveryBatch = { size: 3, everyMs: 3_600_000 };
    const scene = await createCoreScene({ simulator: { deliveryBatch } });
    const { text } = await scene.up();
    expect(text).toContain("is paid, but 3 of its 5 proxies have arrived");
    expect(scene.kept.get("fleet")?.outputs.proxies).toHaveLength(3);
    // Neither a refresh nor another up buys what is missing.
    await scene.refresh();
    expect((await scene.up()).text).toContain("3 of its 5 proxies");
    scene.clock.skip(3_600_000);
    await expectInvariants(scene, { charges: ["7.00"] });
    expect(scene.kept.get("fleet")?.outputs.proxies).toHaveLength(5);
  });

  it("18 B: and the order's answer was lost: unknown until all have arrived", async () => {
    const deliveryBatch = { size: 3, everyMs: 3_600_000 };
    const scene = await createCoreScene({ simulator: { deliveryBatch } });
    const fault = { kind: "reset" } as const;
    scene.simulator.addFault({ endpoint: "createOrder", calls: [1], phase: "after", fault });
    const { text } = await scene.up();
    const number = scene.simulator.orders()[0]?.orderNumber;
    expect(text).toContain("ORDER_OUTCOME_UNKNOWN");
    expect(text).toContain(
      `fewer proxies than were bought as yet. Orders that may be it: ${number}`,
    );
    scene.clock.skip(3_600_000);
    await expectInvariants(scene, { charges: ["7.00"] });
    expect(scene.kept.get("fleet")?.outputs.proxies).toHaveLength(5);
  });
});
