import { describe, expect, test, vi } from "vitest";
import { createAutoExtensionLifecycle } from "../../../../provider/core/auto-extension/lifecycle.ts";
import { createExtensionLifecycle } from "../../../../provider/core/extension/lifecycle.ts";
import type { CheckedOrder } from "../../../../provider/core/order/model/state.ts";
import type { RunIdentity } from "../../../../provider/core/ports.ts";
import { buyAndDie, countReadings } from "../../../journals/file/killed-runs.ts";
import { edit, planEdit } from "../../support/edits-under-test.ts";
import { given as givenExtension, owner as keep } from "../../support/extensions-under-test.ts";
import { type FakeService, record, serviceFailure } from "../../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf } from "../../support/orders-under-test.ts";
import { given as givenRenewal, owner as renewal } from "../../support/renewals-under-test.ts";

/** A run that buys one order, and loses the answer to the next one and the sight of the account. */
async function loseOrder(options: Parameters<typeof beginRun>[0] = {}) {
  const first = beginRun();
  const kept = await first.buy("kept");
  const { service } = first;
  service.before.createOrder = async () => {
    delete service.before.createOrder;
    service.balance -= 1;
    throw serviceFailure("unknown");
  };
  const lost = await failureOf(first.buy("lost", { country: "DEU" }));
  expect(lost.code).toBe("ORDER_OUTCOME_UNKNOWN");
  const next = beginRun({ ...options, service });
  const check = (name: string) =>
    name === "kept"
      ? next.orders.check(ownerOf("kept"), kept.inputs, given())
      : next.orders.check(ownerOf(name), undefined, given({ country: "DEU" }));
  const end = () => next.account.story.lastWords();
  return { ...next, check, end };
}

const WARNING =
  /^an earlier run may have bought 5 IPv4 proxies in DEU for 30 days for 7\.00 USD for lost; `npx/;

describe("a purchase of which nobody knows what became", () => {
  test("is named by its own resource only, also if that is checked last", async () => {
    const { check, end, log, clock } = await loseOrder({ endsLast: true });
    await check("kept");
    expect(clock.waits).toEqual([]);
    const { failures } = await check("lost");
    expect(failures).toMatchObject([{ code: "ORDER_OUTCOME_UNKNOWN" }]);
    await end();
    expect(log.warnings).toEqual([]);
  });

  test("is named once at the end of a run whose program has no such resource", async () => {
    const { check, end, log } = await loseOrder({ endsLast: true });
    await check("kept");
    await check("kept");
    expect(log.warnings).toEqual([]);
    await end();
    await end();
    expect(log.warnings).toEqual([expect.stringMatching(WARNING)]);
  });

  test("is named at once where nobody waits for the end of the run", async () => {
    const { check, end, log } = await loseOrder();
    await check("kept");
    await end();
    expect(log.warnings).toEqual([expect.stringMatching(WARNING)]);
  });

  test("is not named by a process of the run that does not have its resource", async () => {
    const run: RunIdentity = { run: "127.0.0.1:4000", command: "up", phase: () => "preview" };
    const { check, end, log, service } = await loseOrder({ endsLast: true, run, apiKey: "key" });
    await check("kept");
    const beside = beginRun({ endsLast: true, run, apiKey: "key", service, besideOthers: true });
    await beside.orders.check(ownerOf("lost"), undefined, given({ country: "DEU", maxPrice: 1 }));
    await end();
    expect(log.warnings).toEqual([]);
  });
});

test.each([
  ["was killed, so each plan asks once whether it goes on", false, 12],
  ["has ended, so no plan asks", true, 0],
])("of many orders, the run that bought them %s", async (_case, hasEnded, questions) => {
  const first = beginRun();
  const names = Array.from({ length: 12 }, (_, index) => `fleet-${index}`);
  const bought = new Map<string, CheckedOrder>();
  for (const name of names) bought.set(name, (await first.buy(name)).inputs);
  if (hasEnded) await first.account.journal.endRun();
  const next = beginRun({ service: first.service, endsLast: true });
  const asked = vi.spyOn(next.account.journal, "isRunAlive");
  for (const [name, inputs] of bought) await next.orders.check(ownerOf(name), inputs, given());
  expect(asked.mock.calls.length).toBeLessThanOrEqual(questions);
});

describe("an order of a run that was killed", () => {
  /** A run that buys two orders and is killed. The engine has saved the first one only. */
  async function killAfterTwo(endsLast = true) {
    const first = beginRun();
    const kept = await first.buy("kept");
    const lost = await first.buy("lost", { country: "DEU" });
    first.die();
    const next = beginRun({ endsLast, service: first.service });
    const end = () => next.account.story.lastWords();
    return { ...next, kept, lost, end };
  }

  const named = (order: string) => expect.stringMatching(new RegExp(`^order ${order} .*for lost`));

  test("is named at the end of a run that deletes another resource", async () => {
    const { orders, log, kept, lost, end } = await killAfterTwo();
    await orders.delete(kept.state);
    expect(log.warnings).toEqual([]);
    await end();
    expect(log.warnings).toEqual([named(lost.state.orderNumber)]);
  });

  test("is named with the deletion where nobody waits for the end of the run", async () => {
    const { orders, log, kept, lost, end } = await killAfterTwo(false);
    await orders.delete(kept.state);
    await end();
    expect(log.warnings).toEqual([named(lost.state.orderNumber)]);
  });

  test("is not named where its own deletion comes later in the run", async () => {
    const { orders, log, kept, lost, end } = await killAfterTwo();
    await orders.delete(kept.state);
    await orders.delete(lost.state);
    await end();
    expect(log.warnings).toEqual([]);
  });

  test("is named by a refresh alone, and not by one whose run takes it over", async () => {
    const alone = await killAfterTwo();
    await alone.orders.read(alone.kept.state);
    await alone.end();
    expect(alone.log.warnings).toEqual([named(alone.lost.state.orderNumber)]);

    const { orders, plan, log, kept, end } = await killAfterTwo();
    await orders.read(kept.state);
    expect((await plan("lost", { country: "DEU" })).quote.effect).toBe("recover");
    await end();
    expect(log.warnings).toEqual([]);
  });

  test("is named if the journal can't be read at the end", async () => {
    const { account, orders, log, kept, lost, end } = await killAfterTwo();
    await orders.delete(kept.state);
    account.journal.readOpen = async () => {
      throw new Error("away");
    };
    await end();
    expect(log.warnings).toEqual([named(lost.state.orderNumber)]);
  });
});

describe("303: a further order that the engine could not save, in a run that ended in the ordinary way", () => {
  const AGAIN = { quantity: 8 };

  async function growUnsaved() {
    const first = beginRun();
    const five = await first.buy("fleet");
    await first.account.journal.endRun();
    const { service } = first;
    const growing = beginRun({ service });
    const eight = await edit(growing, five, AGAIN);
    await growing.account.journal.endRun();
    return { five, eight, next: (endsLast = true) => beginRun({ service, endsLast }) };
  }

  const named = [expect.stringMatching(/^order 7001 .*for fleet .*not seen it in the state/)];

  test.each([true, false])(
    "is named where the edit is taken back, with an end that is waited for: %s",
    async (endsLast) => {
      const { five, next } = await growUnsaved();
      const run = next(endsLast);
      expect((await planEdit(run, five, {})).change).toBe("none");
      await run.account.story.lastWords();
      expect(run.log.warnings).toEqual(named);
    },
  );

  test("is named where the resource is deleted", async () => {
    const { five, next } = await growUnsaved();
    const run = next();
    await run.orders.delete(five.state);
    await run.account.story.lastWords();
    expect(run.log.warnings).toEqual(named);
  });

  test("is not named where the resource has another state, which is met later", async () => {
    const { five, eight, next } = await growUnsaved();
    const run = next();
    await run.orders.delete(five.state);
    expect((await planEdit(run, eight, AGAIN)).change).toBe("none");
    await run.account.story.lastWords();
    expect(run.log.warnings).toEqual([]);
  });

  test.each([8, 9])(
    "305: stops its resource under another name, which grows to %s",
    async (quantity) => {
      const { five, next } = await growUnsaved();
      const run = next();
      const failure = await failureOf(edit(run, five, { quantity }, "renamed"));
      expect(failure.code).toBe("ORDER_MAY_BE_PAID");
      expect(failure.message).toContain("7001");
      expect(run.service.calls.createOrder).toBe(2);
    },
  );

  test("stops the purchase of a resource of another name, once its own was refreshed", async () => {
    const { five, next } = await growUnsaved();
    const run = next();
    await run.orders.read(five.state);
    const failure = await failureOf(run.buy("other", { quantity: 3 }));
    expect(failure.code).toBe("ORDER_MAY_BE_PAID");
    expect(failure.message).toContain("7001");
  });
});

/** A run is killed after the engine was told of its order, and the next one lets that order extend itself. */
async function renewAfterDeath() {
  const { service, state } = await buyAndDie("returned");
  const next = beginRun({ service });
  const { ipAddressIds } = state;
  const renewals = createAutoExtensionLifecycle(next.account);
  const { checked } = await renewals.check(renewal, undefined, givenRenewal({ ipAddressIds }));
  const on = await renewals.create(checked);
  await next.account.journal.endRun();
  return { service, state, on };
}

test.each([[true], [false]])(
  "229: an order of a killed run is not named by a destroy that deletes an IpAutoExtend of it first, with an end that is waited for: %s",
  async (endsLast) => {
    const { service, state, on } = await renewAfterDeath();
    const destroy = beginRun({ service, endsLast });
    await createAutoExtensionLifecycle(destroy.account).delete(on);
    await destroy.orders.delete(state);
    await destroy.account.story.lastWords();
    expect(destroy.log.warnings).toEqual([]);
  },
);

test("229: but one of which the engine was never told is, also where nobody waits for the end of the run", async () => {
  const { service, on, state } = await renewAfterDeath();
  const args = { country: "DEU" };
  await buyAndDie("placed", { run: beginRun({ service }), name: "lost", args });
  const destroy = beginRun({ service, endsLast: false });
  await createAutoExtensionLifecycle(destroy.account).delete(on);
  await destroy.orders.delete(state);
  expect(destroy.log.warnings).toEqual([expect.stringMatching(/^order 7001 .*for lost/)]);
});

describe("190: an order of a run that was killed, in a program that has no order any more", () => {
  const kinds = ["IpAutoExtend", "IpExtension"] as const;
  const ipAddressIds = ["ip-201", "ip-202"];

  async function killWhileBuying() {
    const { service } = await buyAndDie("placed", { name: "lost" });
    const dateEnd = "2026-03-31T00:00:00.000+00:00";
    service.records.push(...[201, 202].map((number) => record("5000", number, { dateEnd })));
    return service;
  }

  /** A run of a program that has only a resource of this kind, for proxies that somebody else has bought. */
  async function beginWithout(kind: (typeof kinds)[number], endsLast = true, before?: FakeService) {
    const service = before ?? (await killWhileBuying());
    const run = beginRun({ service, endsLast });
    const renewals = createAutoExtensionLifecycle(run.account);
    const extensions = createExtensionLifecycle(run.account);
    const check = (owner?: string) =>
      kind === "IpAutoExtend"
        ? renewals.check(owner ?? renewal, undefined, givenRenewal({ ipAddressIds }))
        : extensions.check(owner ?? keep, undefined, givenExtension({ ipAddressIds }));
    const resource = kind === "IpAutoExtend" ? renewals : extensions;
    const create = async () => resource.create((await check()).checked);
    const end = () => run.account.story.lastWords();
    return { ...run, resource, check, create, end };
  }

  const named = [expect.stringMatching(/^order 7000 .*was paid for lost by an earlier run/)];

  describe.each(kinds)("but an %s", (kind) => {
    test.each([
      ["at its end", true],
      ["at once where nobody waits for its end", false],
    ])("is named by an update, %s", async (_when, endsLast) => {
      const { create, end, log } = await beginWithout(kind, endsLast);
      await create();
      expect(log.warnings).toEqual(endsLast ? [] : named);
      await end();
      expect(log.warnings).toEqual(named);
    });

    test.each(["read", "delete"] as const)(
      "is named by a run that does no more than: %s",
      async (action) => {
        const { create, service } = await beginWithout(kind);
        const state = await create();
        const { resource, end, log } = await beginWithout(kind, true, service);
        await resource[action](state);
        await end();
        expect(log.warnings).toEqual(named);
      },
    );

    test("is not named if the program has its resource after all", async () => {
      const { check, plan, end, log } = await beginWithout(kind);
      await check();
      expect((await plan("lost")).quote.effect).toBe("recover");
      await end();
      expect(log.warnings).toEqual([]);
    });
  });

  test("is looked for once, however many resources there are", async () => {
    const run = await beginWithout("IpAutoExtend");
    const readings = countReadings(run);
    await run.check();
    const once = readings();
    for (const name of ["b", "c", "d"]) await run.check(`${renewal}-${name}`);
    expect(readings()).toBe(once);
  });
});
