import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AccountSettings } from "../../provider/core/account.ts";
import { createAutoExtensionLifecycle } from "../../provider/core/auto-extension/lifecycle.ts";
import type { AutoExtensionState } from "../../provider/core/auto-extension/state.ts";
import { createExtensionLifecycle } from "../../provider/core/extension/lifecycle.ts";
import type { OrderState } from "../../provider/core/order/model/state.ts";
import type { SimulatorOptions } from "../../simulator/index.ts";
import { failureOf, given, ownerOf } from "../core/support/orders-under-test.ts";
import { startForTest } from "../simulator/start.ts";
import { beginAccountRun } from "../support/account.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { openWrongClock } from "./wrong-clock.ts";

const HOUR_MS = 3_600_000;

const DAY_MS = 24 * HOUR_MS;

const RENEWAL = "org/urn:pulumi:dev::fleet::proxyrental:IpAutoExtend::renewal";

const KEEP = "org/urn:pulumi:dev::fleet::proxyrental:IpExtension::keep";

const none = new Set<string>();

const row = z.looseObject({ ipAddressId: z.string(), dateEnd: z.string().optional() });

const page = z.looseObject({
  data: z.looseObject({
    totalElements: z.number(),
    totalPages: z.number(),
    content: z.array(row),
  }),
});

type Row = z.infer<typeof row>;

interface Options {
  simulator?: SimulatorOptions;
  /** How far this machine's clock is ahead of the service's. */
  skewMs?: number;
}

/** Makes an account with one order of five proxies, and runs of all resources that may manage it. */
async function holdOrder({ simulator: options = {}, skewMs = 0 }: Options = {}) {
  const clock = createVirtualClock();
  const real = await startForTest({ ...options, now: clock.now });
  const journalDir = await makeTemporaryFolder();
  let tell: (told: Date) => Date | undefined = (told) => told;
  const baseUrl = await openWrongClock(real.baseUrl, (told) => tell(told));
  const simulator = { ...real, baseUrl };
  const ownClock = { ...clock, now: () => new Date(clock.now().getTime() + skewMs) };

  /** Begins one process of the provider. */
  const beginRun = (settings: Partial<AccountSettings> = {}) => {
    const run = beginAccountRun({ simulator, journalDir, clock: ownClock, settings });
    const renewals = createAutoExtensionLifecycle(run.account);
    const extensions = createExtensionLifecycle(run.account);
    const declare = async (args: object = {}, owner = RENEWAL) => {
      const known = { proxyType: "IPv4", ipAddressIds: ids(), rentPeriodDays: 30, ...args };
      const { checked, failures } = await renewals.check(owner, undefined, {
        known,
        unknown: none,
      });
      return { checked, failures };
    };
    const renew = async (args: object = {}, owner = RENEWAL) =>
      renewals.create((await declare(args, owner)).checked);
    const plan = async (paidThrough: string, before?: unknown) => {
      const known = { proxyType: "IPv4", ipAddressIds: ids(), rentPeriodDays: 30, paidThrough };
      return extensions.check(KEEP, before, { known, unknown: none });
    };
    const keep = async (paidThrough: string, before?: unknown) => {
      const { checked, failures } = await plan(paidThrough, before);
      expect(failures).toEqual([]);
      return checked;
    };
    return { ...run, renewals, extensions, declare, renew, plan, keep };
  };

  const ids = () =>
    simulator
      .proxies()
      .filter(({ state }) => state === "listed")
      .map(({ ipAddressId }) => ipAddressId);
  const first = beginRun();
  const { checked } = await first.orders.check(ownerOf("fleet"), undefined, given());
  const state = await first.orders.create(checked);
  const { orderNumber } = state;

  /** Changes what the listing shows at these calls, counted from 1, or at every call. */
  const show = (calls: number[] | undefined, change: (rows: Row[]) => Row[]) => {
    const patch = (answer: unknown) => {
      const { data, ...rest } = page.parse(answer);
      const content = change(data.content);
      const totalElements = data.totalElements + content.length - data.content.length;
      const totalPages = totalElements === 0 ? 0 : data.totalPages;
      return { ...rest, data: { ...data, content, totalElements, totalPages } };
    };
    const fault = { kind: "answer", patch } as const;
    simulator.addFault({ endpoint: "listProxies", phase: "after", fault, ...(calls && { calls }) });
  };

  return {
    ...{ simulator, clock, beginRun, state, orderNumber, show },
    empty: (calls?: number[]) => show(calls, () => []),
    setClock: (next: typeof tell) => {
      tell = next;
    },
    flags: () => new Set(simulator.proxies().map(({ autoExtend }) => autoExtend)),
    /** What our own calls were charged. */
    charges: () =>
      simulator
        .ledger()
        .filter(({ origin }) => origin === "api")
        .map(({ kind, price }) => `${kind} ${price}`),
    spent: () => {
      const { createOrder, extend } = simulator.requestCounts();
      return { createOrder, extend };
    },
  };
}

/** Refreshes the order, and returns the state that the engine would keep. */
async function refresh(
  { beginRun }: Awaited<ReturnType<typeof holdOrder>>,
  state: OrderState,
): Promise<OrderState> {
  const found = await beginRun().orders.read(state);
  if (found.kind !== "present") throw new Error("it is there");
  return found.state;
}

describe("46: a renewal is removed while the listing is empty, without an error", () => {
  it.each([
    ["46 A", "once", [1]],
    ["46 B", "always", undefined],
  ])(
    "%s: an IpAutoExtend is removed, the listing empty %s: every flag is off",
    async (_row, _how, calls) => {
      const held = await holdOrder();
      const renewal = await held.beginRun().renew();
      expect(held.flags()).toEqual(new Set([true]));
      held.empty(calls);
      await held.beginRun().renewals.delete(renewal);
      expect(held.flags()).toEqual(new Set([false]));
      held.clock.advance(40 * DAY_MS);
      expect(held.simulator.ledger()).toHaveLength(1);
    },
  );

  it("46 C: some ids are removed: their flags are off, or the update fails and keeps them", async () => {
    const held = await holdOrder();
    const renewal = await held.beginRun().renew();
    const [first, ...others] = renewal.ipAddressIds;
    held.empty([2, 3]);
    const run = held.beginRun();
    const { checked } = await run.declare({ ipAddressIds: [first] });
    await run.renewals.update(renewal, checked).catch(() => undefined);
    const on = held.simulator.proxies().filter(({ autoExtend }) => autoExtend);
    expect(on.map(({ ipAddressId }) => ipAddressId)).toEqual([first]);
    expect(others).toHaveLength(4);
  });

  it.each([
    ["46 D", "once", [1]],
    ["46 E", "always", undefined],
  ])(
    "%s: the order is destroyed, the listing empty %s: every flag is off",
    async (_row, _how, calls) => {
      const held = await holdOrder();
      await held.beginRun().renew();
      held.empty(calls);
      await held.beginRun().orders.delete(held.state);
      expect(held.flags()).toEqual(new Set([false]));
      expect(held.spent()).toEqual({ createOrder: 1, extend: 0 });
    },
  );

  it("46 F: and the service does not switch them off: the delete fails and names them", async () => {
    const held = await holdOrder();
    const renewal = await held.beginRun().renew();
    held.empty();
    const fault = { kind: "refuse", code: 4 } as const;
    held.simulator.addFault({ endpoint: "setAutoExtension", phase: "before", fault });
    const { code, message } = await failureOf(held.beginRun().renewals.delete(renewal));
    expect(code).toBe("AUTO_EXTENSION_FAILED");
    for (const id of renewal.ipAddressIds) expect(message).toContain(id);
    const { message: ofOrder } = await failureOf(held.beginRun().orders.delete(held.state));
    expect(ofOrder).toContain("stays in the state");
    await held.beginRun({ onDeleteFailure: "abandon" }).renewals.delete(renewal);
  });
});

describe("47: a living order, an empty listing, a month after an extension", () => {
  it("47 A: automatically, and the listing is empty once: a doubt that names both readings", async () => {
    const held = await holdOrder();
    await held.beginRun().renew();
    held.clock.advance(40 * DAY_MS);
    held.empty([1]);
    const { code, message } = await failureOf(held.beginRun().orders.read(held.state));
    expect(code).toBe("LISTING_INCONSISTENT");
    expect(message).toContain(held.orderNumber);
    expect(message).toContain("The second, read after it");
    held.simulator.clearFaults();
    expect((await held.beginRun().orders.read(held.state)).kind).toBe("present");
    expect(held.charges()).toEqual(["order 7.00"]);
  });

  it("47 B: automatically, and the listing stays empty: the state stays", async () => {
    const held = await holdOrder();
    await held.beginRun().renew();
    held.clock.advance(40 * DAY_MS);
    held.empty();
    const { code, message } = await failureOf(held.beginRun().orders.read(held.state));
    expect(code).toBe("ORDER_MISSING");
    expect(message).toContain("were extended automatically when they were last seen");
  });

  it("47 C: by an IpExtension, and the listing stays empty: the journal proves it", async () => {
    const held = await holdOrder();
    const run = held.beginRun();
    await run.extensions.create(await run.keep("2026-04-15"));
    held.clock.advance(40 * DAY_MS);
    held.empty();
    const { code, message } = await failureOf(held.beginRun().orders.read(held.state));
    expect(code).toBe("ORDER_MISSING");
    expect(message).toContain("before their recorded end (2026-04-28");
    held.simulator.clearFaults();
    held.clock.advance(30 * DAY_MS);
    expect(await held.beginRun().orders.read(held.state)).toEqual({ kind: "gone" });
  });
});

describe("48: a wrong Date header", () => {
  it.each([
    ["48 A", "once, and the rows are there", false, 1],
    ["48 B", "once, and the listing is empty", true, 1],
    ["48 C", "always, by a month", false, Number.POSITIVE_INFINITY],
  ])("%s: %s: nothing is gone", async (_row, _how, isEmpty, times) => {
    const held = await holdOrder();
    let answers = 0;
    held.setClock((told) => (++answers <= times ? new Date(told.getTime() + 31 * DAY_MS) : told));
    if (isEmpty) held.empty([1]);
    const { code, message } = await failureOf(held.beginRun().orders.read(held.state));
    expect(code).toBe("LISTING_INCONSISTENT");
    expect(message).toContain("Nothing was bought");
    expect(held.charges()).toEqual(["order 7.00"]);
  });

  it("48 D: on one of several pages: nothing is gone", async () => {
    const held = await holdOrder({ simulator: { pageCap: 2 } });
    held.clock.advance(29.9 * DAY_MS);
    let answers = 0;
    held.setClock((told) => (++answers === 1 ? new Date(told.getTime() + 6 * HOUR_MS) : told));
    const { code } = await failureOf(held.beginRun().orders.read(held.state));
    expect(code).toBe("LISTING_INCONSISTENT");
  });

  it("48 E: none at all: nothing has ended", async () => {
    const held = await holdOrder();
    held.setClock(() => undefined);
    expect((await held.beginRun().orders.read(held.state)).kind).toBe("present");
  });
});

describe("49: a listing with earlier ends than recorded", () => {
  const shorten = (rows: Row[]) => rows.map((one) => ({ ...one, dateEnd: "2026-03-10T00:00:00Z" }));

  it("49 A: they are over: a doubt, and goneOrders is the way out", async () => {
    const held = await holdOrder();
    held.clock.advance(20 * DAY_MS);
    held.show(undefined, shorten);
    const { code, message } = await failureOf(held.beginRun().orders.read(held.state));
    expect(code).toBe("LISTING_INCONSISTENT");
    expect(message).toContain("recorded as paid until 2026-03-31");
    expect(message).toContain("PROXYRENTAL_GONE_ORDERS");
    const declared = held.beginRun({ goneOrders: new Set(held.state.ipAddressIds) });
    expect(await declared.orders.read(held.state)).toEqual({ kind: "gone" });
  });

  it("49 B: they are not over: the recorded ends stay", async () => {
    const held = await holdOrder();
    const before = await refresh(held, held.state);
    held.show(undefined, shorten);
    expect(await refresh(held, before)).toEqual(before);
  });
});

describe("50: with such a listing an IpExtension is not paid again", () => {
  /** An order with an `IpExtension` that has paid one more period, and whose state knows it. */
  async function extended() {
    const held = await holdOrder();
    const run = held.beginRun();
    const before = held.simulator
      .proxies()
      .map(({ ipAddressId, dateEnd }) => [ipAddressId, dateEnd]);
    const inputs = await run.keep("2026-04-15");
    const state = await run.extensions.create(inputs);
    await held.beginRun().extensions.read(state);
    const ends = new Map(before.map(([id = "", end = ""]) => [id, end]));
    const stale = (rows: Row[]) =>
      rows.map((one) => ({ ...one, dateEnd: ends.get(one.ipAddressId) ?? "" }));
    const paid = held.charges();
    expect(paid).toHaveLength(2);
    return { ...held, inputs, state, stale, paid };
  }

  it("50 A: ends as they were before it: a refresh finds nothing to pay for", async () => {
    const held = await extended();
    held.show(undefined, held.stale);
    const run = held.beginRun();
    const found = await run.extensions.read(held.state);
    expect(found.drift).toBeUndefined();
    expect((await run.keep("2026-04-15", held.inputs)).quote).toEqual({ effect: "none" });
    expect(held.charges()).toEqual(held.paid);
  });

  it("50 B: the same, and the date is moved, or the resource is new to this run: a doubt", async () => {
    const held = await extended();
    held.show(undefined, held.stale);
    for (const before of [held.inputs, undefined]) {
      const { code, message } = await failureOf(held.beginRun().keep("2026-05-20", before));
      expect(code).toBe("LISTING_INCONSISTENT");
      expect(message).toContain("The second:");
    }
    expect(held.charges()).toEqual(held.paid);
  });

  it("50 C: empty once after its recorded end, or a wrong Date header: the recorded proxies stay", async () => {
    const held = await extended();
    held.setClock((told) => new Date(told.getTime() + 90 * DAY_MS));
    held.empty([1]);
    const { code } = await failureOf(held.beginRun().extensions.read(held.state));
    expect(code).toBe("LISTING_INCONSISTENT");
    held.setClock((told) => told);
    held.simulator.clearFaults();
    expect((await held.beginRun().extensions.read(held.state)).state.proxies).toHaveLength(5);
    expect(held.charges()).toEqual(held.paid);
  });
});

it.each([
  ["51 A", 5 * HOUR_MS],
  ["51 B", -5 * HOUR_MS],
])(
  "%s: this machine's clock stays %i ms off: the service's clock is used, with one warning per run",
  async (_row, skewMs) => {
    const held = await holdOrder({ skewMs });
    held.clock.advance(30 * DAY_MS - HOUR_MS);
    expect((await held.beginRun().orders.read(held.state)).kind).toBe("present");
    held.clock.advance(2 * HOUR_MS);
    const run = held.beginRun();
    expect(await run.orders.read(held.state)).toEqual({ kind: "gone" });
    const { checked } = await run.orders.check(ownerOf("fleet"), undefined, given());
    expect(checked.quote).toMatchObject({ effect: "buy", price: 7 });
    expect(run.lines.filter((line) => line.includes("5.0 hours"))).toHaveLength(1);
  },
);

describe("52: an IpAutoExtend is renamed", () => {
  const RENAMED = RENEWAL.replace(/renewal$/, "renamed");

  it("52 A: the new one is created, the old one deleted: the flags stay on", async () => {
    const held = await holdOrder();
    const former = await held.beginRun().renew();
    const run = held.beginRun();
    await run.renew({}, RENAMED);
    await run.renewals.delete(former);
    expect(held.flags()).toEqual(new Set([true]));
    expect(run.lines.join()).toContain("stays as it is, because renamed declares it");
  });

  it("52 B: two contradict each other: the check fails and names both, and nothing is switched", async () => {
    const held = await holdOrder();
    const run = held.beginRun();
    expect((await run.declare()).failures).toEqual([]);
    const { failures } = await run.declare({ autoExtend: false }, RENAMED);
    expect(failures[0]?.reason).toContain("which renewal declares to be extended by 30 days");
    expect(held.simulator.requestCounts().setAutoExtension).toBe(0);
  });
});

describe("53: auto-extension is switched off by this package, and the order ends", () => {
  async function switchedOff() {
    const held = await holdOrder();
    const renewal: AutoExtensionState = await held.beginRun().renew();
    const state = await refresh(held, held.state);
    expect(state.proxies.every(({ extendInfo }) => extendInfo.autoExtend)).toBe(true);
    await held.beginRun().renewals.delete(renewal);
    return { ...held, state };
  }

  it("53 A: 35 days later it is gone, like any other", async () => {
    const held = await switchedOff();
    held.clock.advance(35 * DAY_MS);
    const run = held.beginRun();
    expect(await run.orders.read(held.state)).toEqual({ kind: "gone" });
    expect(held.charges()).toEqual(["order 7.00"]);
  });

  it("53 B: before its end an empty listing is a doubt", async () => {
    const held = await switchedOff();
    held.clock.advance(29 * DAY_MS);
    held.empty();
    const { code, message } = await failureOf(held.beginRun().orders.read(held.state));
    expect(code).toBe("ORDER_MISSING");
    expect(message).toContain("before their recorded end (2026-03-31");
  });

  it("53 C: somebody switches it on again, and a refresh sees it: then its end proves nothing", async () => {
    const held = await switchedOff();
    held.simulator.setAutoExtension(held.state.ipAddressIds, true);
    const state = await refresh(held, held.state);
    held.clock.advance(35 * DAY_MS);
    held.empty();
    const { message } = await failureOf(held.beginRun().orders.read(state));
    expect(message).toContain("were extended automatically when they were last seen");
    expect(message).not.toContain("before their recorded end");
  });
});

describe("54: goneOrders", () => {
  it("54 A: is not recommended while the service can't be reached", async () => {
    const held = await holdOrder();
    const fault = { kind: "status", status: 503 } as const;
    held.simulator.addFault({ endpoint: "listProxies", phase: "before", fault });
    const { message } = await failureOf(held.beginRun().orders.read(held.state));
    expect(message).toContain("--refresh=false");
    expect(message.toLowerCase()).not.toContain("gone");
  });

  it("54 B: is refused for an order with living proxies; single proxies are accepted", async () => {
    const held = await holdOrder();
    const [one = "", two = ""] = held.state.ipAddressIds;
    const { orderNumber, state } = held;
    const refused = held.beginRun({ goneOrders: new Set([orderNumber]) });
    const { code, message } = await failureOf(refused.orders.read(state));
    expect(code).toBe("CONFIGURATION_INVALID");
    expect(message).toContain(one);
    held.simulator.removeProxies([one, two]);
    expect((await failureOf(held.beginRun().orders.read(state))).code).toBe("ORDER_MISSING");
    const single = held.beginRun({ goneOrders: new Set([one, two]) });
    expect(await single.orders.read(state)).toMatchObject({ drift: { quantity: 3 } });
    expect(held.charges()).toEqual(["order 7.00"]);
  });
});

describe("55: unreliable rows and dates", () => {
  it("55 A: one row lost and one added while the listing is read: its totals agree, and it is a doubt", async () => {
    const held = await holdOrder({ simulator: { pageCap: 3 } });
    const state = await refresh(held, held.state);
    held.clock.advance(DAY_MS);
    // The reader misses a row, which moves from the second page to the first one. A strange row follows.
    held.show([2], (rows) => [
      ...rows.slice(1),
      { ...row.parse(rows[0]), ipAddressId: "strange", orderId: "1", ipAddressIp: "203.0.113.9" },
    ]);
    const { code } = await failureOf(held.beginRun().orders.read(state));
    expect(code).toBe("LISTING_INCONSISTENT");
    expect((await held.beginRun().orders.read(state)).kind).toBe("present");
  });

  it.each([
    ["55 B", "2026-03-10T00:00:00"],
    ["55 C", "2026-03-10"],
    ["55 D", "soon"],
    ["55 E", "1970-01-01T00:00:00.000+00:00"],
  ])("%s: ends and starts like %s prove neither an end nor an age", async (_row, date) => {
    const held = await holdOrder();
    held.clock.advance(20 * DAY_MS);
    held.show(undefined, (rows) => rows.map((one) => ({ ...one, dateStart: date, dateEnd: date })));
    expect((await held.beginRun().orders.read(held.state)).kind).toBe("present");
    const { failures } = await held.beginRun().plan("2026-04-15");
    expect(failures[0]?.reason).toContain("does not say yet until when they are paid");
    expect(held.spent()).toEqual({ createOrder: 1, extend: 0 });
  });
});
