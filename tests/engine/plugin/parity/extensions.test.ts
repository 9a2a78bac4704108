import { expect, it } from "vitest";
import { playOnBoth, type WriteProgram } from "./both-hosts.ts";

it("flags are switched, drift is found and put right, and flags are let go, on both hosts alike", async () => {
  const kept =
    (args: object): WriteProgram =>
    ({ program, order, autoExtension }) =>
      program(order("usa"), autoExtension("keep", "usa", args));
  await playOnBoth({ program: kept({}) }, async ({ simulator, succeed, rewrite }) => {
    await succeed("up");
    const ids = simulator.proxies().map((proxy) => proxy.ipAddressId);
    simulator.setAutoExtension(ids.slice(0, 1), false);
    const plan = await succeed("preview", "--refresh");
    expect(plan.steps.map(({ op }) => op)).toContain("update");
    await succeed("up", "--refresh");
    expect(simulator.proxies().every(({ autoExtend }) => autoExtend)).toBe(true);

    simulator.setAutoExtension(ids, true, 60);
    const found = await succeed("refresh");
    expect(JSON.stringify(found.resources)).toContain('"rentPeriodDays":60');
    await succeed("up");
    await rewrite(kept({ rentPeriodDays: 60 }));
    await succeed("up");
    await rewrite(kept({ rentPeriodDays: 60, autoExtend: false }));
    await succeed("up");
    expect(simulator.proxies().some(({ autoExtend }) => autoExtend)).toBe(false);

    await rewrite(kept({ rentPeriodDays: 60 }));
    await succeed("up");
    const { spending, requests } = await succeed("destroy");
    expect(requests.setAutoExtension).toBe(7);
    expect(spending.charges).toEqual(["7.00"]);
  });
});

it("an extension is planned with its cap, bought, bought again and let go, on both hosts alike", async () => {
  const paid =
    (date: string, args: object = {}): WriteProgram =>
    ({ program, order, extension }) =>
      program(order("usa"), extension("keep", "usa", date, args));
  await playOnBoth(
    { program: paid("2026-04-29", { maxPrice: 7.5 }), simulator: { idsChangeOnExtension: true } },
    async ({ simulator, succeed, fail, rewrite }) => {
      const plan = await succeed("preview");
      expect(plan.steps.map(({ inputs }) => inputs.quote)).toContainEqual({
        ...{ effect: "unknown", priceAtMost: 7.5, balance: 1000, currency: "USD" },
      });
      await succeed("up");
      const met = await succeed("up", "--refresh");
      expect(met.spending.charges).toEqual(["7.00", "7.00"]);

      await rewrite(paid("2026-05-29", { maxPrice: 6.99 }));
      expect((await fail("preview")).refusals.join()).toContain("6.99 USD that is allowed");
      await rewrite(paid("2026-05-29"));
      await succeed("preview");
      simulator.advance({ days: 31 });
      expect((await succeed("up", "--refresh")).spending.charges).toHaveLength(3);
      await rewrite(paid("2026-04-01"));
      await succeed("up");
      expect((await succeed("destroy")).spending.extendCalls).toBe(2);
    },
  );
});

it("an extension that fails half way is saved and finished, on both hosts alike", async () => {
  const text: WriteProgram = ({ program, order, extension }) =>
    program(order("usa"), extension("keep", "usa", "2026-05-29"));
  await playOnBoth({ program: text }, async ({ simulator, succeed, fail }) => {
    const fault = { kind: "refuse", code: 14 } as const;
    const rule = simulator.addFault({ endpoint: "extend", calls: [2], phase: "before", fault });
    const half = await fail("up");
    expect(half.refusals.join()).toContain("EXTENSION_INCOMPLETE: 1 of 2 planned extensions");
    rule.remove();
    await succeed("preview");
    await succeed("up");
    const { spending } = await succeed("up", "--refresh");
    expect(spending.charges).toEqual(["7.00", "7.00", "7.00"]);
  });
});
