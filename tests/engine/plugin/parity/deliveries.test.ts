import { expect, it } from "vitest";
import { after } from "../../../support/program.ts";
import { playOnBoth, type WriteProgram } from "./both-hosts.ts";

/** While the provider waits, the number of reads depends on the speed of the machine. */
const readsDiffer = "it looks again and again until its time is over";

/** An order of so many proxies that is waited for only a second. */
const impatient =
  (quantity: number): WriteProgram =>
  ({ program, order }) =>
    program(order("usa", { deliveryTimeoutSeconds: 1, quantity }));

it("a half-delivered order is saved, found unfinished, and finished by a later up, on both hosts alike", async () => {
  await playOnBoth(
    {
      ...{ program: impatient(5), readsDiffer },
      simulator: { deliveryBatch: { size: 3, everyMs: 3_600_000 } },
    },
    async ({ simulator, succeed, fail, rewrite }) => {
      const half = await fail("up");
      expect(half.refusals.join()).toContain("is paid, but 3 of its 5 proxies have arrived");
      const [, usa] = half.resources;
      expect(usa).toMatchObject({ outputs: { status: "pendingDelivery" } });
      await rewrite(impatient(6));
      await fail("preview");
      await rewrite(impatient(5));
      await fail("up", "--refresh");
      await succeed("refresh");
      simulator.advance({ hours: 2 });
      const { spending } = await succeed("up");
      expect(spending.charges).toEqual(["7.00"]);
    },
  );
});

it("a further order that is half-delivered is planned as paid, also after a refresh, on both hosts alike", async () => {
  await playOnBoth(
    {
      ...{ program: impatient(3), readsDiffer },
      simulator: { deliveryBatch: { size: 3, everyMs: 3_600_000 } },
    },
    async ({ simulator, succeed, fail, rewrite }) => {
      await succeed("up");
      await rewrite(impatient(8));
      await fail("up");
      const { lines, steps } = await succeed("preview", "--refresh");
      expect(lines.join()).toContain("takes over order");
      expect(steps.at(-1)?.inputs.quote).toMatchObject({ effect: "recover", price: 0 });
      simulator.advance({ hours: 2 });
      const { spending } = await succeed("up", "--refresh");
      expect(spending.charges).toEqual(["4.20", "7.00"]);
    },
  );
});

it("an order that has ended, in part or as a whole, is planned and bought again, on both hosts alike", async () => {
  const text =
    (quantity: number): WriteProgram =>
    ({ program, order }) =>
      program(order("usa", { quantity }));
  await playOnBoth({ program: text(5) }, async ({ simulator, succeed, fail, rewrite }) => {
    await succeed("up");
    simulator.advance({ days: 20 });
    await rewrite(text(8));
    await succeed("up");
    simulator.advance({ days: 10, hours: 1 });
    await succeed("preview", "--refresh");
    await succeed("up", "--refresh");

    const [, , last] = simulator.orders();
    simulator.removeProxies(last?.ipAddressIds ?? []);
    expect((await fail("refresh")).refusals.join()).toContain("ORDER_MISSING");
    simulator.advance({ days: 40 });
    await succeed("refresh");
    const { spending } = await succeed("up");
    expect(spending.charges).toEqual(["7.00", "4.20", "7.00", "11.20"]);
    expect((await succeed("destroy")).resources).toEqual([]);
  });
});

it("an order of the account is adopted, kept and let go, on both hosts alike", async () => {
  const text =
    (args: object = {}): WriteProgram =>
    ({ program, order }) =>
      program(order("usa", args));
  await playOnBoth({ program: text() }, async (scene) => {
    const { simulator, succeed, fail, rewrite } = scene;
    const held = simulator.placeForeignOrder({
      ...{ proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 },
    });
    // This is refused: the account shows an unknown order of a moment ago with the same arguments.
    await fail("preview");
    await rewrite(text({ adoptOrderNumber: held.orderId, quantity: 4 }));
    await fail("preview");
    await rewrite(text({ adoptOrderNumber: held.orderId }));
    await succeed("preview");
    await succeed("up");
    await rewrite(text());
    await succeed("up", "--refresh");
    const { spending } = await succeed("destroy");
    expect(spending).toEqual({ orderCalls: 0, extendCalls: 0, charges: ["7.00"] });
  });
});

it("an unknown order stops the run, and the next run finds it, on both hosts alike", async () => {
  const env = { PROXYRENTAL_TIMEOUT_SECONDS: "2", PROXYRENTAL_SETTLING_SECONDS: "2" };
  const two: WriteProgram = ({ program, order }) =>
    program(order("usa"), order("gbr", { country: "GBR" }, after("usa")));
  await playOnBoth({ program: two, env, readsDiffer }, async ({ simulator, succeed, fail }) => {
    const first = { endpoint: "createOrder", calls: [1], phase: "after" } as const;
    const unseen = { kind: "status", status: 503 } as const;
    const blind = () =>
      void simulator.addFault({ endpoint: "listProxies", phase: "before", fault: unseen });
    simulator.addFault({ ...first, fault: { kind: "act", run: blind } });
    simulator.addFault({ ...first, fault: { kind: "reset" } });
    const lost = await fail("up");
    expect(lost.refusals.join()).toContain("ORDER_OUTCOME_UNKNOWN");
    await fail("preview");
    simulator.clearFaults();
    await succeed("preview");
    const { spending } = await succeed("up");
    expect(spending.charges).toEqual(["7.00", "7.70"]);
  });
});
