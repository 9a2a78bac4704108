import { describe, expect, test } from "vitest";
import { ExtensionUnfinishedError } from "../../../../provider/core/extension/apply/pay.ts";
import type { RunIdentity } from "../../../../provider/core/ports.ts";
import {
  beginRun,
  given,
  laterRun,
  owner,
  TWO_PERIODS,
} from "../../support/extensions-under-test.ts";
import { type FakeService, moveEnds, record, serviceFailure } from "../../support/fake-service.ts";
import { failureOf } from "../../support/orders-under-test.ts";

/** A command that is typed once for each number. */
function command(name: "preview" | "up", number: number): RunIdentity {
  const phase = () => (name === "preview" ? "preview" : "update");
  return { run: undefined, command: name, commandId: String(number), phase };
}

/** The error that says what is already paid. */
async function unfinished(action: Promise<unknown>): Promise<ExtensionUnfinishedError> {
  const error = await failureOf(action);
  if (error instanceof ExtensionUnfinishedError) return error;
  throw error;
}

describe("creating", () => {
  test("pays what was planned, once, and records it", async () => {
    const { extend, service, ends, open } = beginRun();
    const { state } = await extend();
    expect(ends()).toEqual(["2026-04-30", "2026-04-30", "2026-03-31", "2026-03-31"]);
    expect(state).toMatchObject({
      ipAddressIds: ["ip-1", "ip-2"],
      paidUntil: "2026-04-30T00:00:00.000Z",
      purchases: [{ quantity: 2, price: 2, currency: "USD", rentPeriodDays: 30 }],
      stateVersion: 1,
    });
    expect(state.proxies).toEqual([
      expect.objectContaining({
        ipAddressId: "ip-1",
        ipAddressIp: "192.0.2.1",
        httpsPort: "10001",
      }),
      expect.objectContaining({ ipAddressId: "ip-2" }),
    ]);
    expect(state.awaited).toBeUndefined();
    expect(service.extensions).toEqual([
      { proxyType: "IPv4", ipAddressIds: ["ip-1", "ip-2"], rentPeriodDays: 30 },
    ]);
    expect(service.calls).toMatchObject({ extend: 1, calculateExtension: 2 });
    expect(await open()).toEqual(["returned"]);
  });

  test("pays round after round, each for the proxies that still fall short", async () => {
    const { extend, service, ends } = beginRun();
    service.records[1] = record("7000", 2, { dateEnd: "2026-05-10T00:00:00Z" });
    const { state } = await extend({ paidThrough: TWO_PERIODS });
    expect(service.extensions.map(({ ipAddressIds }) => ipAddressIds)).toEqual([
      ["ip-1", "ip-2"],
      ["ip-1"],
    ]);
    expect(ends().slice(0, 2)).toEqual(["2026-05-30", "2026-06-09"]);
    expect(state.purchases.map(({ price }) => price)).toEqual([2, 1]);
    expect(new Set(state.purchases.map(({ requestId }) => requestId)).size).toBe(2);
  });

  test("pays nothing when asked again, in this run or the next", async () => {
    const { extensions, inputs, service } = await laterRun({ paidThrough: TWO_PERIODS });
    await extensions.create(inputs);
    await extensions.create(inputs);
    expect(service.extensions).toHaveLength(2);
    expect(service.calls).toMatchObject({ extend: 0, calculateExtension: 0 });
  });

  test("pays less if an automatic extension came first", async () => {
    const { plan, extensions, service } = beginRun();
    const inputs = await plan({ paidThrough: TWO_PERIODS });
    moveEnds(service, ["ip-1", "ip-2"], 30);
    const later = beginRun({ service });
    const state = await later.extensions.create(inputs);
    expect(state.purchases.map(({ price }) => price)).toEqual([2]);
    moveEnds(service, ["ip-1"], 30);
    await extensions.create(inputs);
    expect(service.extensions).toHaveLength(1);
  });

  test("pays nothing for proxies that were extended just before the call", async () => {
    const { plan, extensions, service } = beginRun();
    const inputs = await plan();
    service.before.calculateExtension = async () => {
      delete service.before.calculateExtension;
      moveEnds(service, ["ip-1", "ip-2"], 30);
      return undefined;
    };
    const state = await extensions.create(inputs);
    expect(state).toMatchObject({ paidUntil: "2026-04-30T00:00:00.000Z", purchases: [] });
    expect(service.calls.extend).toBe(0);
  });

  test("pays nothing on an end before one that another stack has paid and recorded, though one answer of the listing is from before", async () => {
    const { plan, extensions, service } = beginRun();
    const inputs = await plan();
    service.before.calculateExtension = async () => {
      delete service.before.calculateExtension;
      const old = structuredClone(service.records);
      const other = beginRun({ service, besideOthers: true });
      const itsOwner = owner.replace(":dev::", ":prod::");
      await other.extensions.create(
        (await other.extensions.check(itsOwner, undefined, given())).checked,
      );
      for (const paid of await other.account.journal.readOpen()) {
        await other.account.journal.change(paid, { phase: "confirmed" });
      }
      service.records = old;
      return undefined;
    };
    const failure = await failureOf(extensions.create(inputs));
    expect(failure.code).toBe("LISTING_INCONSISTENT");
    expect(failure.message).toContain("The listing may be behind. This extension was not sent");
    expect(service.extensions).toHaveLength(1);
  });

  test("two extensions that name the same proxy pay once for it", async () => {
    const { extensions, plan, service } = beginRun();
    const inputs = await plan();
    const other = await extensions.check(`${owner}-2`, undefined, {
      known: { ...inputsOnly(inputs), ipAddressIds: ["ip-2", "ip-3"] },
      unknown: new Set(),
    });
    const paying = Promise.withResolvers<void>();
    service.before.extend = async () => {
      paying.resolve();
      return undefined;
    };
    const first = extensions.create(inputs);
    // From now on the other one has to wait for its turn.
    await paying.promise;
    const [state] = await Promise.all([first, extensions.create(other.checked)]);
    expect(state.purchases).toHaveLength(1);
    expect(service.extensions.map(({ ipAddressIds }) => ipAddressIds)).toEqual([
      ["ip-1", "ip-2"],
      ["ip-3"],
    ]);
  });

  test("follows ids that the service changes, and returns the new ones", async () => {
    const { extend, service } = beginRun();
    service.renumbers = true;
    const { state } = await extend({ paidThrough: TWO_PERIODS });
    expect(service.extensions.map(({ ipAddressIds }) => ipAddressIds)).toEqual([
      ["ip-1", "ip-2"],
      ["ip-1x", "ip-2x"],
    ]);
    expect(state.ipAddressIds).toEqual(["ip-1xx", "ip-2xx"]);
    expect(state.addresses).toMatchObject({
      "ip-1": "192.0.2.1 10001",
      "ip-1xx": "192.0.2.1 10001",
    });
  });

  test("sends the ids that are listed at that moment", async () => {
    const { plan, extensions, service } = beginRun();
    const inputs = await plan();
    service.before.calculateExtension = async () => {
      delete service.before.calculateExtension;
      service.records[0] = record("7000", 1, { ipAddressId: "new" });
      return undefined;
    };
    await extensions.create(inputs);
    expect(service.extensions.map(({ ipAddressIds }) => ipAddressIds)).toEqual([["new", "ip-2"]]);
  });

  test("warns if the promo code is no longer valid", async () => {
    const { plan, extensions, service, log } = beginRun();
    service.calculated = { promoCodeStatus: "VALID", discount: 10 };
    const inputs = await plan({ promoCode: "TEN" });
    service.before.extend = async () => {
      service.calculated = { promoCodeStatus: "NO_VALID" };
      return undefined;
    };
    await extensions.create(inputs);
    expect(log.warnings.join()).toContain("the promo code was valid when the price was asked");
    expect(service.calls.extend).toBe(1);
  });
});

function inputsOnly({ proxyType, rentPeriodDays, paidThrough }: Record<string, unknown>) {
  return { proxyType, rentPeriodDays, paidThrough };
}

describe("nothing is paid that the plan did not show:", () => {
  const spentNothing = { extend: 0, createOrder: 0 };

  test("no higher price", async () => {
    const { plan, extensions, service } = beginRun();
    const inputs = await plan();
    service.extensionPrice = 1.01;
    expect((await failureOf(extensions.create(inputs))).code).toBe("PRICE_ROSE");
    expect(service.calls).toMatchObject(spentNothing);
  });

  test("no higher price than another process has previewed", async () => {
    const preview = beginRun();
    await preview.plan({ paidThrough: TWO_PERIODS });
    const up = beginRun({ service: preview.service });
    up.service.extensionPrice = 1.01;
    const inputs = await up.plan({ paidThrough: TWO_PERIODS });
    const failure = await failureOf(up.extensions.create(inputs));
    expect(failure.message).toContain("the plan showed 4.00 USD, the service now asks 4.04 USD");
    expect(up.service.calls).toMatchObject(spentNothing);
  });

  test("no more proxies, and no more rounds", async () => {
    const { plan, extensions, service } = beginRun();
    const inputs = await plan();
    for (const more of [
      { ipAddressIds: ["ip-1", "ip-2", "ip-3"] },
      { paidThrough: TWO_PERIODS },
      { quote: { effect: "none" } },
      { quote: { effect: "unknown", priceAtMost: 5 } },
      { rounds: [] },
    ]) {
      const failure = await failureOf(extensions.create({ ...inputs, ...more }));
      expect(failure.code).toBe("NOT_PLANNED");
    }
    expect(service.calls).toMatchObject(spentNothing);
  });

  test("nothing above a cap that was lowered after the plan", async () => {
    const { plan, extensions, service } = beginRun();
    const inputs = await plan({ paidThrough: TWO_PERIODS });
    const failure = await unfinished(extensions.create({ ...inputs, maxPrice: 3.5 }));
    expect(failure.message).toContain("PRICE_ABOVE_CAP");
    expect(failure.message).toContain("above the 1.50 USD that is allowed");
    expect(service.calls.extend).toBe(1);
  });

  test("nothing with an expired promo code, and nothing above maxSpend", async () => {
    const promo = beginRun();
    promo.service.calculated = { promoCodeStatus: "VALID", discount: 10 };
    const inputs = await promo.plan({ promoCode: "TEN" });
    promo.service.calculated = { promoCodeStatus: "NO_VALID" };
    expect((await failureOf(promo.extensions.create(inputs))).code).toBe("PROMO_CODE_NOT_VALID");
    expect(promo.service.calls).toMatchObject(spentNothing);

    const frugal = beginRun({ settings: { maxSpend: 2 } });
    const planned = await beginRun({ service: frugal.service }).plan({ paidThrough: TWO_PERIODS });
    const failure = await unfinished(frugal.extensions.create(planned));
    expect(failure.message).toContain("SPEND_LIMIT_REACHED");
    expect(frugal.service.calls.extend).toBe(1);
  });

  test("nothing for a part of an IPv6 order", async () => {
    const { plan, service } = beginRun();
    const inputs = await plan({ proxyType: "IPv6", rentPeriodDays: 90, paidThrough: "2026-06-01" });
    service.records.push(record("7000", 9));
    const failure = await failureOf(
      beginRun({ service }).extensions.create({ ...inputs, ipAddressIds: ["ip-1"] }),
    );
    expect(failure.code).toBe("EDIT_REFUSED");
    expect((await failureOf(beginRun({ service }).extensions.create(inputs))).code).toBe(
      "EDIT_REFUSED",
    );
    expect(service.calls).toMatchObject(spentNothing);
  });
});

describe("when a later round fails", () => {
  async function failSecond(outcome: "rejected" | "unknown") {
    const run = beginRun();
    const { service, plan, extensions } = run;
    const inputs = await plan({ paidThrough: TWO_PERIODS });
    let sent = 0;
    service.before.extend = async () => {
      sent += 1;
      if (sent === 2) throw serviceFailure(outcome);
      return undefined;
    };
    const failure = await unfinished(extensions.create(inputs));
    return { ...run, inputs, failure, sent: () => sent };
  }

  test("the run ends with what it paid and with the balance, which a refusal does not tell", async () => {
    const { account } = await failSecond("rejected");
    expect(await account.story.lastWords()).toContain(
      "In all: bought 1 for 2.00 USD. Balance now: 998.00 USD.",
    );
  });

  test("the error says what is paid, and the state keeps it", async () => {
    const { failure, open, service } = await failSecond("rejected");
    expect(failure.message).toMatch(
      /^EXTENSION_INCOMPLETE: 1 of 2 planned extensions is paid \(2.00 USD\) and saved. Then: .*code 14/,
    );
    expect(failure.state.purchases).toMatchObject([{ price: 2 }]);
    expect(failure.state.proxies).toMatchObject([
      { dateEnd: "2026-04-30T00:00:00.000Z" },
      { dateEnd: "2026-04-30T00:00:00.000Z" },
    ]);
    expect(await open()).toEqual(["returned"]);
    expect(service.extensions).toHaveLength(1);
  });

  test("the same create again pays only the rest, at its previewed price", async () => {
    const { extensions, inputs, service } = await failSecond("rejected");
    const dearer = { ...inputs, rounds: [{ quantity: 2, price: 9 }, ...inputs.rounds.slice(1)] };
    service.extensionPrice = 2;
    const failure = await unfinished(extensions.create(dearer));
    expect(failure.message).toContain("PRICE_ROSE");
    service.extensionPrice = 1;
    const state = await extensions.create(inputs);
    expect(state.purchases.map(({ price }) => price)).toEqual([2, 2]);
    expect(service.extensions).toHaveLength(2);
  });

  test("the next run plans the rest and pays it", async () => {
    const { failure, inputs, service } = await failSecond("rejected");
    const next = beginRun({ service });
    const args = { paidThrough: TWO_PERIODS };
    const rest = await next.plan(args, inputs);
    expect(rest.quote).toMatchObject({ effect: "extend", quantity: 2, price: 2 });
    expect((await next.extensions.diff(failure.state, rest, new Set())).kind).toBe("update");
    const state = await next.extensions.update(failure.state, rest);
    expect(state.purchases.map(({ price }) => price)).toEqual([2, 2]);
    expect(state.paidUntil).toBe("2026-05-30T00:00:00.000Z");
    expect(service.extensions).toHaveLength(2);
  });

  test("an extension without an answer is not sent again in the run", async () => {
    const { failure, extensions, inputs, service, sent } = await failSecond("unknown");
    expect(failure.message).toContain("ORDER_NOT_PLACED");
    expect(failure.message).toContain("PROXYRENTAL_CALLS=FILE");
    expect((await unfinished(extensions.create(inputs))).message).toContain("ORDER_NOT_PLACED");
    expect(sent()).toBe(2);
    expect(service.extensions).toHaveLength(1);
  });
});

describe("when the listing does not show a paid extension", () => {
  /** The listing shows the old ends as long as it lags. */
  async function lag(args: object = {}) {
    const run = beginRun();
    const { service, plan, extensions } = run;
    const inputs = await plan(args);
    const stale = [...service.records];
    service.before.extend = async () => {
      service.before.listProxies = async () => ({
        ...{ totalElements: 4, totalPages: 1, content: stale, answeredAt: service.now },
      });
      return undefined;
    };
    const failure = await unfinished(extensions.create(inputs));
    return { ...run, inputs, failure, catchUp: () => delete service.before.listProxies };
  }

  test("it is waited for, then saved as paid, and not paid again", async () => {
    const { failure, service, clock, open } = await lag({ paidThrough: TWO_PERIODS });
    expect(failure.message).toContain("the listing does not show it yet");
    expect(failure.state.awaited?.proxies).toHaveLength(2);
    expect(clock.waits.reduce((sum, ms) => sum + ms)).toBeGreaterThanOrEqual(60_000);
    expect(service.extensions).toHaveLength(1);
    expect(await open()).toEqual(["returned"]);
  });

  test("the same create again, a refresh and the next run's update pay nothing", async () => {
    const { extensions, inputs, failure, service } = await lag();
    const again = await unfinished(extensions.create(inputs));
    expect(again.state.awaited?.proxies).toHaveLength(2);

    const next = beginRun({ service });
    const { state, drift } = await next.extensions.read(failure.state);
    expect(drift).toBeUndefined();
    expect(state.awaited).toEqual(failure.state.awaited);
    const kept = await next.plan({}, inputs);
    expect(kept.quote).toEqual({ effect: "none" });
    expect((await next.extensions.diff(state, kept, new Set())).kind).toBe("update");
    expect((await failureOf(next.extensions.update(state, kept))).code).toBe(
      "EXTENSION_INCOMPLETE",
    );
    expect(service.extensions).toHaveLength(1);
  });

  test("no other plan for these proxies is paid meanwhile", async () => {
    const { failure, service } = await lag();
    const next = beginRun({ service });
    await next.extensions.read(failure.state);
    const stopped = await failureOf(next.plan({ paidThrough: TWO_PERIODS }));
    expect(stopped.message).toContain("is paid, and the listing does not show it yet");
    expect(service.extensions).toHaveLength(1);
  });

  test("the next run finds it listed and goes on", async () => {
    const { inputs, failure, service, catchUp } = await lag();
    catchUp();
    const next = beginRun({ service });
    const kept = await next.plan({}, inputs);
    const state = await next.extensions.update(failure.state, kept);
    expect(state).toMatchObject({
      paidUntil: "2026-04-30T00:00:00.000Z",
      purchases: [{ price: 2 }],
    });
    expect(state.awaited).toBeUndefined();
    expect((await next.extensions.diff(state, kept, new Set())).kind).toBe("none");
    expect(service.extensions).toHaveLength(1);
  });
});

test("177: fewer proxies than planned are not extended at a higher price for each", async () => {
  const run = beginRun();
  const inputs = await run.plan({ ipAddressIds: ["ip-1", "ip-2", "ip-3", "ip-4"] });
  expect(inputs.quote.price).toBe(4);
  // Somebody extends three of them by hand, and the price rises.
  moveEnds(run.service, ["ip-1", "ip-2", "ip-3"], 30);
  run.service.extensionPrice = 4;
  const up = beginRun({ service: run.service });
  await expect(up.extensions.create(inputs)).rejects.toMatchObject({ code: "PRICE_ROSE" });
  expect(run.service.extensions).toEqual([]);
});

/** A preview shows two extensions of two proxies. The run after it pays for the first one only, and is saved. */
async function payHalf(
  whilePaying: (service: FakeService) => void = () => undefined,
  prepare: (service: FakeService) => void = () => undefined,
) {
  const args = { paidThrough: TWO_PERIODS };
  const preview = beginRun({ run: command("preview", 1) });
  const { service } = preview;
  prepare(service);
  await preview.plan(args);
  const first = beginRun({ service, run: command("up", 2) });
  const inputs = await first.plan(args);
  let calls = 0;
  service.before.extend = async () => {
    calls += 1;
    if (calls === 2) throw serviceFailure("rejected");
    whilePaying(service);
    return undefined;
  };
  const { state } = await unfinished(first.extensions.create(inputs));
  delete service.before.extend;
  return { service, args, inputs, state };
}

test("178: the rest of an extension that is half paid is bound by what its preview has left", async () => {
  const { service, args, inputs, state } = await payHalf();
  service.extensionPrice = 3;
  const dear = beginRun({ service, run: command("up", 3) });
  const tripled = await dear.plan(args, inputs);
  await expect(dear.extensions.update(state, tripled)).rejects.toMatchObject({
    code: "PRICE_ROSE",
  });
  service.extensionPrice = 1;
  const again = beginRun({ service, run: command("up", 4) });
  await again.extensions.update(state, await again.plan(args, inputs));
  expect(1000 - service.balance).toBe(4);
});

test("196: also if somebody paid in at the same moment, so that the balance fell by less", async () => {
  const { service, args, inputs, state } = await payHalf((paidInto) => {
    paidInto.balance += 1.5;
  });
  service.extensionPrice = 1.7;
  const dear = beginRun({ service, run: command("up", 3) });
  const dearer = await dear.plan(args, inputs);
  await expect(dear.extensions.update(state, dearer)).rejects.toMatchObject({
    code: "PRICE_ROSE",
  });
});

test.each([
  ["other proxies", { ipAddressIds: ["ip-3", "ip-4"] }],
  ["another end", { paidThrough: "2026-05-28" }],
])("197: what is left of it pays for nothing else: %s", async (_what, edit) => {
  const { service, args, inputs, state } = await payHalf();
  service.extensionPrice = 0.5;
  const up = beginRun({ service, run: command("up", 3) });
  const other = await up.plan({ ...args, ...edit }, inputs);
  const refusal = await failureOf(up.extensions.update(state, other));
  expect(refusal.code).toBe("NOT_PLANNED");
  expect(service.extensions).toHaveLength(1);
});

test("209: and for no other proxies where the service tells no ports, and all share an address", async () => {
  const { service, args, inputs, state } = await payHalf(undefined, (bare) => {
    bare.records = bare.records.map(({ httpsPort: _, ...row }) => ({
      ...row,
      ipAddressIp: "192.0.2.1",
    }));
  });
  service.extensionPrice = 0.5;
  const up = beginRun({ service, run: command("up", 3) });
  const other = await up.plan({ ...args, ipAddressIds: ["ip-3", "ip-4"] }, inputs);
  const refusal = await failureOf(up.extensions.update(state, other));
  expect(refusal.code).toBe("NOT_PLANNED");
  expect(service.extensions).toHaveLength(1);
});

/** A preview of this checkout is shown, and then another checkout is previewed and pays for its own resource of that name. */
async function payElsewhere(ipAddressIds: string[]) {
  const preview = beginRun({ run: command("preview", 1), project: "/here" });
  const { service } = preview;
  await preview.plan();
  const other = beginRun({ service, run: command("preview", 2), project: "/there" });
  await other.plan({ ipAddressIds });
  const there = beginRun({ service, run: command("up", 3), project: "/there" });
  await there.extend({ ipAddressIds });
  await there.account.journal.endRun();
  return service;
}

test("211: a preview is not over because another checkout has paid what its own one has shown", async () => {
  const service = await payElsewhere(["ip-3"]);
  const here = beginRun({ service, run: command("up", 4), project: "/here" });
  const refusal = await failureOf(here.extend({ paidThrough: TWO_PERIODS }));
  expect(refusal.code).toBe("NOT_PLANNED");
  expect(service.extensions).toHaveLength(1);
});

test("225: what a preview has shown is paid also after another checkout has paid for its own resource of that name", async () => {
  const service = await payElsewhere(["ip-3", "ip-4"]);
  await beginRun({ service, run: command("up", 4), project: "/here" }).extend();
  expect(service.extensions).toHaveLength(2);
});

test("227: jobs of one stack that get either of two folders carry out what the newest preview showed", async () => {
  const preview = beginRun({ run: command("preview", 1), project: "/builds/1" });
  const { service } = preview;
  await preview.plan();
  const up = beginRun({ service, run: command("up", 2), project: "/builds/2" });
  const { inputs, state } = await up.extend();
  await up.account.journal.endRun();
  const longer = { paidThrough: TWO_PERIODS };
  const next = beginRun({ service, run: command("preview", 3), project: "/builds/2" });
  await next.plan(longer, inputs);
  const last = beginRun({ service, run: command("up", 4), project: "/builds/1" });
  await last.extensions.update(state, await last.plan(longer, inputs));
  expect(service.extensions).toHaveLength(2);
});

test("198: a preview binds also if a period was paid while it went on, before it showed the next one", async () => {
  const preview = beginRun({ run: command("preview", 1) });
  const { service } = preview;
  await preview.account.runBeginning.note();
  const first = beginRun({ service, run: command("up", 2), besideOthers: true });
  const { inputs, state } = await first.extend();
  await first.account.journal.endRun();
  preview.clock.advance(1_000);
  const args = { paidThrough: TWO_PERIODS };
  expect((await preview.plan(args)).quote.price).toBe(2);

  service.extensionPrice = 3;
  const up = beginRun({ service, run: command("up", 3) });
  const dearer = await up.plan(args, inputs);
  const refusal = await failureOf(up.extensions.update(state, dearer));
  expect(refusal.code).toBe("NOT_PLANNED");
  expect(service.extensions).toHaveLength(1);
});
