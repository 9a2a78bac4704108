import { describe, expect, test } from "vitest";
import { AFTER_END, moveEnds } from "../../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf } from "../../support/orders-under-test.ts";

const owner = ownerOf("fleet");
const moved = { country: "DEU" };
const allowed = { ...moved, allowReplacement: true };

/** A paid order, and a later run on the same account. */
async function laterRun(args = {}) {
  const first = beginRun();
  const bought = await first.buy("fleet", args);
  const { service } = first;
  service.calls.calculateOrder = 0;
  return { ...bought, ...beginRun({ service }) };
}

describe("an edit that would buy again", () => {
  test("is refused at preview, with its price, and buys nothing", async () => {
    const { orders, service, inputs, state } = await laterRun();
    const { checked, failures } = await orders.check(owner, inputs, given(moved));
    expect(failures).toEqual([]);
    expect(checked.quote).toMatchObject({ effect: "replace", price: 7, owned: { price: 7 } });
    await expect(orders.diff(state, checked, new Set())).rejects.toThrow(
      /EDIT_REFUSED: .*for 7\.00 USD/,
    );
    expect(service.calls.createOrder).toBe(1);
  });

  test.each([
    ["before its recorded end", undefined],
    ["after its recorded end", AFTER_END],
  ])("is refused with the end that is listed, if it was extended since: %s", async (_when, now) => {
    const { orders, service, inputs, state } = await laterRun();
    moveEnds(service, state.ipAddressIds, 30);
    if (now) service.now = now;
    const { checked } = await orders.check(owner, inputs, given(moved));
    const { code, message } = await failureOf(orders.diff(state, checked, new Set()));
    expect(code).toBe("EDIT_REFUSED");
    expect(message).toContain("is paid until 2026-04-30T00:00:00.000Z and can't be cancelled");
  });

  test("is refused for a renamed resource too, by its new name", async () => {
    const { orders, service, inputs, state } = await laterRun();
    const { checked } = await orders.check(ownerOf("renamed"), inputs, given(moved));
    await expect(orders.diff(state, checked, new Set())).rejects.toThrow("EDIT_REFUSED");
    expect(service.calls.createOrder).toBe(1);
  });

  test("does not count in the sum of the run while it is not allowed", async () => {
    const { orders, inputs, service } = await laterRun();
    const again = beginRun({ service, settings: { maxSpend: 7 } });
    await again.orders.check(owner, inputs, given(moved));
    expect(await again.plan("other")).toMatchObject({ quote: { effect: "buy" } });
    expect(orders).toBeDefined();
  });

  test("is bought once if it is allowed: the second check returns what the first one showed", async () => {
    const { orders, service, inputs, state, log } = await laterRun();
    const first = await orders.check(owner, inputs, given(allowed));
    expect(first.failures).toEqual([]);
    expect(await orders.diff(state, first.checked, new Set())).toEqual({
      kind: "replace",
      properties: ["country"],
    });
    const second = await orders.check(owner, undefined, given(allowed));
    expect(second).toEqual(first);
    expect(service.calls.calculateOrder).toBe(1);
    expect(log.lines).toHaveLength(1);

    const replacement = await orders.create(second.checked);
    expect(replacement.orderNumber).toBe("7001");
    expect(replacement.requestId).not.toBe(state.requestId);
    expect(service.calls.createOrder).toBe(2);
  });

  test("is called a replacement in the plan's summary, and a first purchase is not", async () => {
    const { orders, inputs, log } = await laterRun();
    await orders.check(owner, inputs, given(allowed));
    expect(log.lines.join()).toMatch(
      /^fleet: buys, to replace a paid order, 5 IPv4 proxies in DEU/,
    );
    const fresh = beginRun();
    await fresh.plan("fleet", { allowReplacement: true });
    expect(fresh.log.lines.join()).not.toContain("replace");
  });

  test("counts in the sum of the run if it is allowed", async () => {
    const { inputs, service } = await laterRun();
    const again = beginRun({ service, settings: { maxSpend: 13 } });
    await again.orders.check(owner, inputs, given(allowed));
    const { failures } = await again.orders.check(ownerOf("other"), undefined, given());
    expect(failures.map(({ property }) => property)).toEqual(["quote"]);
  });

  test("passes through the gates if it is allowed", async () => {
    const { orders, inputs } = await laterRun();
    const { failures } = await orders.check(owner, inputs, given({ ...allowed, maxPrice: 1 }));
    expect(failures.map(({ property }) => property)).toEqual(["maxPrice"]);
  });

  test("is the same in preview and in up", async () => {
    const { inputs, service } = await laterRun();
    const [preview, up] = [beginRun({ service }), beginRun({ service })];
    const shown = await preview.orders.check(owner, inputs, given(allowed));
    const planned = await up.orders.check(owner, inputs, given(allowed));
    expect(planned).toEqual(shown);
  });
});

describe("a check without old inputs, for an order that this process knows", () => {
  const meet = {
    read: async (run: Awaited<ReturnType<typeof laterRun>>) =>
      void (await run.orders.read(run.state)),
    diff: async (run: Awaited<ReturnType<typeof laterRun>>) =>
      await run.orders.diff(run.state, run.inputs, new Set()),
    update: async (run: Awaited<ReturnType<typeof laterRun>>) =>
      void (await run.orders.update(run.state, run.inputs)),
    check: async (run: Awaited<ReturnType<typeof laterRun>>) =>
      void (await run.orders.check(owner, run.inputs, given())),
  };

  test.each(Object.entries(meet))(
    "in %s, is a replacement and is refused",
    async (_how, meetOrder) => {
      const run = await laterRun();
      await meetOrder(run);
      const { failures } = await run.orders.check(owner, undefined, given());
      expect(failures.map(({ property }) => property)).toEqual(["allowReplacement"]);
      expect(failures[0]?.reason).toContain("Nothing was bought");
      expect(run.service.calls).toMatchObject({ createOrder: 1, calculateOrder: 0 });
    },
  );

  test("is bought with a requestId of its own if it is allowed", async () => {
    const run = await laterRun({ allowReplacement: true });
    await run.orders.read(run.state);
    const args = given({ allowReplacement: true });
    const { checked, failures } = await run.orders.check(owner, undefined, args);
    expect(failures).toEqual([]);
    expect(checked.quote?.effect).toBe("replace");
    expect(checked.requestId).not.toBe(run.inputs.requestId);
    expect((await run.orders.create(checked)).orderNumber).toBe("7001");
  });

  test("does not affect other resources", async () => {
    const run = await laterRun();
    await run.orders.read(run.state);
    expect(await run.plan("other")).toMatchObject({ quote: { effect: "buy" } });
  });

  test("is a plain purchase after a read has found the order gone", async () => {
    const run = await laterRun();
    run.service.now = new Date("2026-04-01T00:00:00Z");
    run.service.records = [];
    expect(await run.orders.read(run.state)).toEqual({ kind: "gone" });
    const planned = await run.plan();
    expect(planned.quote.effect).toBe("buy");
  });
});

test("a create that replaces without its quote buys nothing", async () => {
  const { orders, inputs, service } = await laterRun();
  const { checked } = await orders.check(owner, inputs, given(allowed, "goal"));
  expect(checked.quote?.effect).toBe("unknown");
  const known = { ...checked, goal: "later" };
  expect((await failureOf(orders.create(known))).code).toBe("NOT_PLANNED");
  expect(service.calls.createOrder).toBe(1);
});

describe("a resource that the engine itself replaces, without a refresh, keeps its own order", () => {
  test.each(["before it is deleted", "after it was deleted"])(
    "created %s: the order goes on, and is not bought again if the state loses it",
    async (when) => {
      const first = beginRun();
      const { state } = await first.buy();
      const { service } = first;
      service.records = service.records.map((listed) => ({
        ...listed,
        extendInfo: { autoExtend: true, extendDays: 30 },
      }));
      const up = beginRun({ service });
      const planned = await up.plan();
      expect(planned.quote).toMatchObject({ effect: "recover", price: 0 });
      const isFirst = when === "before it is deleted";
      if (isFirst) await up.orders.create(planned);
      await up.orders.delete(state);
      if (!isFirst) await up.orders.create(planned);
      expect(service.switches).toEqual([]);
      expect(up.log.lines.join()).toContain("fleet: order 7000 is taken over anew");

      const later = beginRun({ service, settings: { lookBackMinutes: 0 } });
      expect((await later.buy()).inputs.quote.effect).toBe("recover");
      expect(service.orders).toHaveLength(1);
    },
  );
});
