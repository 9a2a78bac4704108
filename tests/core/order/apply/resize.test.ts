import { describe, expect, test } from "vitest";
import type { ProxyRecord } from "../../../../provider/client/index.ts";
import { DeliveryPendingError } from "../../../../provider/core/order/apply/delivery.ts";
import { phasesOf } from "../../../journals/file/killed-runs.ts";
import { edit, editPending, planEdit, refresh } from "../../support/edits-under-test.ts";
import { AFTER_END, DATE_END, serviceFailure } from "../../support/fake-service.ts";
import {
  type Bought,
  beginRun,
  failureOf,
  given,
  ownerOf,
  type Run,
} from "../../support/orders-under-test.ts";

/** Five proxies that one run has bought, and a later run on the same machine. */
async function bought(
  options: Parameters<typeof beginRun>[0] = {},
  args = {},
): Promise<[Run, Bought]> {
  const first = beginRun(options);
  const five = await first.buy("fleet", args);
  return [beginRun({ ...options, service: first.service }), five];
}

const later = ({ service }: Run, options = {}) => beginRun({ ...options, service });

const LATER = "2026-12-31T00:00:00.000+00:00";

/** The first proxies of the listing end later than the others. */
function extend({ service }: Run, count: number): void {
  service.records = service.records.map((listed, index) =>
    index < count ? { ...listed, dateEnd: LATER } : listed,
  );
}

/** Lists only this many proxies of the next order. Returns the others, to be listed later. */
function deliverOnly({ service }: Run, count: number): ProxyRecord[] {
  const missing: ProxyRecord[] = [];
  service.before.createOrder = async (request) => {
    delete service.before.createOrder;
    const answer = await service.createOrder(request);
    service.calls.createOrder -= 1;
    missing.push(...service.records.splice(service.records.length - request.quantity + count));
    return answer;
  };
  return missing;
}

describe("a resource with a higher quantity", () => {
  test("buys the difference as a further order, at the previewed price", async () => {
    const [run, five] = await bought();
    const { planned, change } = await planEdit(run, five, { quantity: 8 });
    expect(change).toBe("update");
    expect(planned.quote).toEqual({
      ...{ effect: "topUp", quantity: 3, price: 4.2, currency: "USD", discount: 0, balance: 993 },
      owned: { price: 7, quantity: 5, rentPeriodDays: 30, currency: "USD" },
    });
    expect(planned.holdings).toEqual({ held: 8, released: [] });
    expect(run.log.lines.at(-1)).toContain(
      "buys 3 IPv4 proxies in USA for 30 days, to make 8, for 4.20 USD",
    );
    expect(run.service.calls.createOrder).toBe(1);

    const state = await run.orders.update(five.state, planned);
    expect(run.service.orders.map(({ request }) => request.quantity)).toEqual([5, 3]);
    expect(state).toMatchObject({
      ...{ orderNumber: "7000", orderIds: ["7000", "7001"], status: "active", quantity: 8 },
      purchases: [
        { orderNumber: "7000", price: 7 },
        { orderNumber: "7001", price: 4.2 },
      ],
      ...{ requestId: planned.requestId, quote: { effect: "topUp", price: 4.2 } },
    });
    expect(state.proxies).toHaveLength(8);
    expect(new Set(state.ipAddressIds).size).toBe(8);
    expect(run.service.balance).toBeCloseTo(988.8);
  });

  test("is unchanged by refresh, check and diff after that, and grows again", async () => {
    const [run, five] = await bought();
    const eight = await edit(run, five, { quantity: 8 });
    const next = later(run);
    const read = await refresh(next, eight);
    expect(read).toEqual(eight);
    const { planned, change } = await planEdit(next, read, { quantity: 8 });
    expect(change).toBe("none");
    expect(planned.quote).toEqual({
      effect: "none",
      owned: { price: 11.2, quantity: 8, rentPeriodDays: 30, currency: "USD" },
    });
    expect(await phasesOf(next)).toEqual(["confirmed", "confirmed"]);
    const kept = { inputs: planned, state: read.state };
    const preview = later(run);
    preview.clock.advance(1_000);
    await planEdit(preview, kept, { quantity: 9 });
    const nine = await edit(later(run), kept, { quantity: 9 });
    expect(nine.state.purchases.map(({ quantity }) => quantity)).toEqual([5, 3, 1]);
    expect(new Set(nine.state.purchases.map(({ requestId }) => requestId)).size).toBe(3);
  });

  test("buys once, however often it is asked in one run", async () => {
    const [run, five] = await bought();
    const { planned } = await planEdit(run, five, { quantity: 8 });
    const asked = Array.from({ length: 20 }, () => run.orders.update(five.state, planned));
    const states = await Promise.all(asked);
    expect(new Set(states.map(({ purchases }) => purchases.at(-1)?.orderNumber))).toEqual(
      new Set(["7001"]),
    );
    expect(run.service.calls.createOrder).toBe(2);
  });

  test.each([
    ["its cap", { maxPrice: 4.19 }, "above the 4.19 USD"],
    ["a promo code that is not valid", { promoCode: "OLD" }, "is not valid"],
    ["a period that is not on offer", { rentPeriodDays: 31 }, "30, 90"],
  ])("is refused at preview by %s", async (_what, args, reason) => {
    const [run, five] = await bought();
    const { failures } = await run.orders.check(
      ownerOf("fleet"),
      five.inputs,
      given({ ...args, quantity: 8 }),
    );
    expect(failures.map((failure) => failure.reason).join()).toContain(reason);
  });

  test("is refused by the sum of the run", async () => {
    const [first, five] = await bought();
    const run = later(first, { settings: { maxSpend: 4.19 } });
    const { failures } = await run.orders.check(
      ownerOf("fleet"),
      five.inputs,
      given({ quantity: 8 }),
    );
    expect(failures[0]?.reason).toContain("above proxyrental:maxSpend (4.19 USD)");
  });

  test("buys nothing if the price has risen since the plan, and keeps its proxies", async () => {
    const [run, five] = await bought();
    const { planned } = await planEdit(run, five, { quantity: 8 });
    run.service.unitPrice = 1.5;
    expect((await failureOf(run.orders.update(five.state, planned))).code).toBe("PRICE_ROSE");
    expect(run.service.calls.createOrder).toBe(1);
  });

  test.each([
    ["the quote is for fewer", { quantity: 2 }],
    ["the quote is for more", { quantity: 4 }],
    ["there is no price", { price: undefined }],
    ["the quote buys nothing", { effect: "none" as const }],
  ])("buys nothing that the plan did not show: %s", async (_what, changed) => {
    const [run, five] = await bought();
    const { planned } = await planEdit(run, five, { quantity: 8 });
    const other = { ...planned, quote: { ...planned.quote, ...changed } };
    const failure = await failureOf(run.orders.update(five.state, other));
    expect(["NOT_PLANNED", "REFRESH_NEEDED"]).toContain(failure.code);
    expect(run.service.calls.createOrder).toBe(1);
  });

  test("buys nothing if proxies ended between plan and update", async () => {
    const [run, five] = await bought();
    extend(run, 3);
    const { planned } = await planEdit(run, await refresh(run, five), { quantity: 8 });
    run.service.now = AFTER_END;
    run.account.listing.invalidate();
    const state = (await refresh(run, five)).state;
    const failure = await failureOf(
      run.orders.update({ ...five.state, released: state.released }, planned),
    );
    expect(failure.code).toBe("REFRESH_NEEDED");
    expect(run.service.calls.createOrder).toBe(1);
  });

  test.each([
    [6, "3 would have to be bought where the plan shows 1"],
    [4, "1 would have to be bought where the plan shows 0"],
  ])(
    "says what would have to be bought for %i if proxies ended since the plan, and counts them",
    async (quantity, said) => {
      const [run, five] = await bought();
      const { planned } = await planEdit(run, five, { quantity });
      extend(run, 3);
      run.service.now = AFTER_END;
      run.account.listing.invalidate();
      const { message } = await failureOf(run.orders.update(five.state, planned));
      expect(message).toContain(`2 of its proxies have ended, 0 are not listed, and ${said}`);
    },
  );

  test("keeps a paid order that is not delivered in time, and a later run completes it", async () => {
    const [run, five] = await bought();
    const missing = deliverOnly(run, 1);
    const pending = await editPending(run, five, { quantity: 8 });
    expect(pending.state).toMatchObject({ status: "pendingDelivery", quantity: 8 });
    expect(pending.state.proxies).toHaveLength(6);
    const next = later(run);
    const read = await refresh(next, pending);
    expect(read.state.status).toBe("pendingDelivery");
    expect(read.inputs).toEqual(pending.inputs);
    const refused = planEdit(next, read, { quantity: 9 });
    expect((await failureOf(refused)).message).toContain(
      "while the delivery of order 7001 is pending",
    );
    run.service.records.push(...missing);
    const state = await later(run).orders.update(read.state, pending.inputs);
    expect(state).toMatchObject({ status: "active" });
    expect(state.proxies).toHaveLength(8);
    expect(run.service.calls.createOrder).toBe(2);
  });

  test("is planned as paid until it is delivered: the engine keeps the inputs of before an update that failed", async () => {
    const [run, five] = await bought();
    const missing = deliverOnly(run, 1);
    const { state } = await editPending(run, five, { quantity: 8 });
    const kept = { inputs: five.inputs, state };
    const next = later(run);
    const read = await refresh(next, kept);
    for (const one of [next, later(run)]) {
      const { planned } = await planEdit(one, { ...read, inputs: five.inputs }, { quantity: 8 });
      expect(planned.quote).toMatchObject({ effect: "recover", quantity: 3, price: 0 });
    }
    run.service.records.push(...missing);
    const last = later(run);
    const done = await edit(last, { ...read, inputs: five.inputs }, { quantity: 8 });
    expect(done.state).toMatchObject({ status: "active", quantity: 8 });
    expect(last.log.lines.join()).toContain("order 7001 has arrived");
    expect(run.service.calls.createOrder).toBe(2);
  });

  test("that was saved, and that an older state lacks, is taken over", async () => {
    const [run, five] = await bought();
    const eight = await edit(later(run), five, { quantity: 8 });
    await refresh(later(run), eight);
    const again = await edit(later(run), five, { quantity: 8 });
    expect(again.state).toMatchObject({
      status: "active",
      quantity: 8,
      orderIds: ["7000", "7001"],
    });
    expect(run.service.calls.createOrder).toBe(2);
  });

  test("says which order lacks which proxies", async () => {
    const [run, five] = await bought();
    deliverOnly(run, 1);
    const { planned } = await planEdit(run, five, { quantity: 8 });
    const failure = await failureOf(run.orders.update(five.state, planned));
    expect(failure).toBeInstanceOf(DeliveryPendingError);
    expect(failure.message).toContain(
      "order 7001 (3 IPv4 proxies in USA for 30 days) is paid, but 1 of its 3 proxies have arrived",
    );
  });
});

describe("a further order whose run was killed", () => {
  /** The service carries out the further order, but the run ends before it gets the answer. */
  async function growAndDie(): Promise<[Run, Bought]> {
    const [run, five] = await bought();
    const { planned } = await planEdit(run, five, { quantity: 8 });
    run.service.before.createOrder = async (request) => {
      delete run.service.before.createOrder;
      await run.service.createOrder(request);
      throw serviceFailure("unknown");
    };
    run.journal.store.replace = async () => {
      throw new Error("the process is gone");
    };
    await run.orders.update(five.state, planned).catch(() => undefined);
    return [run, five];
  }

  test("is recovered for nothing, already at preview", async () => {
    const [run, five] = await growAndDie();
    const preview = later(run);
    const { planned, change } = await planEdit(preview, five, { quantity: 8 });
    expect(change).toBe("update");
    expect(planned.quote).toMatchObject({
      ...{ effect: "recover", quantity: 3, price: 0 },
      owned: { quantity: 8, price: 11.2 },
    });
    const eight = await edit(later(run), five, { quantity: 8 });
    expect(eight.state.purchases.map(({ orderNumber }) => orderNumber)).toEqual(["7000", "7001"]);
    expect(eight.state.proxies).toHaveLength(8);
    expect(run.service.orders).toHaveLength(2);
    const next = later(run);
    expect((await planEdit(next, await refresh(next, eight), { quantity: 8 })).change).toBe("none");
    expect(await phasesOf(next)).toEqual(["confirmed", "confirmed"]);
  });

  test("stops the run if the program now declares another quantity", async () => {
    const [run, five] = await growAndDie();
    const { failures } = await later(run).orders.check(
      ownerOf("fleet"),
      five.inputs,
      given({ quantity: 9 }),
    );
    expect(failures[0]?.reason).toContain("not what the program asks for now");
  });

  test("does not stop a plan that buys nothing", async () => {
    const [run, five] = await growAndDie();
    expect((await planEdit(later(run), five, {})).change).toBe("none");
    expect((await edit(later(run), five, { quantity: 4 })).state.quantity).toBe(4);
    expect(run.service.orders).toHaveLength(2);
  });
});

describe("a resource with a lower quantity", () => {
  test("lets the proxies go that end first, for nothing, and remembers them until then", async () => {
    const [run, five] = await bought();
    extend(run, 2);
    const read = await refresh(run, five);
    const { planned, change } = await planEdit(run, read, { quantity: 3 });
    expect(change).toBe("update");
    expect(planned).toMatchObject({
      requestId: five.inputs.requestId,
      quote: { effect: "none", owned: { price: 4.2, quantity: 3 } },
      holdings: { held: 3, released: [{ count: 2 }] },
    });
    expect(run.log.lines.at(-1)).toContain("lets 2 IPv4 proxies in USA go");
    const three = { inputs: planned, state: await run.orders.update(read.state, planned) };
    expect(three.state.ipAddressIds.slice(0, 2)).toEqual(["ip-1", "ip-2"]);
    expect(three.state.released.map(({ dateEnd }) => dateEnd)).toEqual([DATE_END, DATE_END]);
    expect(three.state.urls).toHaveLength(3);
    expect(run.service.calls).toMatchObject({ createOrder: 1, setAutoExtension: 0 });

    const next = later(run);
    const after = await refresh(next, three);
    expect(after.inputs.holdings).toEqual({ held: 3, released: [{ count: 2, until: DATE_END }] });
    expect(after.state.ipAddressIds).toEqual(three.state.ipAddressIds);
    expect((await planEdit(next, after, { quantity: 3 })).change).toBe("none");
    expect(await refresh(later(run), after)).toEqual(after);
  });

  test("switches off the renewal of the proxies that it lets go", async () => {
    const [run, five] = await bought();
    run.service.records = run.service.records.map((listed) => ({
      ...listed,
      extendInfo: { autoExtend: true, extendDays: 30 },
    }));
    const { state } = await edit(run, five, { quantity: 3 });
    expect(run.service.switches).toMatchObject([{ autoExtend: false, rentPeriodDays: 30 }]);
    const off = run.service.switches.flatMap(({ ipAddressIds }) => ipAddressIds);
    expect([...off].sort()).toEqual(state.released.map(({ ipAddressId }) => ipAddressId).sort());
    expect(state.released.every(({ extendInfo }) => !extendInfo.autoExtend)).toBe(true);
  });

  test("lets nothing go if switching off fails", async () => {
    const [run, five] = await bought();
    run.service.records = run.service.records.map((listed) => ({
      ...listed,
      extendInfo: { autoExtend: true, extendDays: 30 },
    }));
    run.service.before.setAutoExtension = async () => {
      throw serviceFailure("rejected");
    };
    await failureOf(edit(run, five, { quantity: 3 }));
    expect((await planEdit(later(run), five, { quantity: 3 })).change).toBe("update");
  });

  test.each([
    ["with a refresh between", true],
    ["without a refresh", false],
  ])(
    "takes them back free of charge when the quantity rises again, %s",
    async (_how, refreshed) => {
      const [run, five] = await bought();
      let three = await edit(run, five, { quantity: 3 });
      const next = later(run);
      if (refreshed) three = await refresh(next, three);
      const { planned, change } = await planEdit(next, three, { quantity: 5 });
      expect(change).toBe("update");
      expect(planned.quote).toMatchObject({ effect: "none", owned: { price: 7, quantity: 5 } });
      expect(next.log.lines.at(-1)).toContain("takes back 2 IPv4 proxies in USA");
      const state = await next.orders.update(three.state, planned);
      expect([...state.ipAddressIds].sort()).toEqual([...five.state.ipAddressIds].sort());
      expect(state).toMatchObject({ released: [], holdings: { held: 5, released: [] } });
      expect(Object.keys(state.credentials)).toHaveLength(5);
      expect(next.service.calls).toMatchObject({ createOrder: 1, calculateOrder: 2 });
    },
  );

  test("buys only what the released proxies do not cover", async () => {
    const [run, five] = await bought();
    const three = await edit(run, five, { quantity: 3 });
    const seven = await edit(later(run), three, { quantity: 7 });
    expect(seven.inputs.quote).toMatchObject({ effect: "topUp", quantity: 2, price: 2.8 });
    expect(seven.inputs.quote.owned).toMatchObject({ quantity: 5, price: 7 });
    expect(seven.state.proxies).toHaveLength(7);
    expect(run.service.orders.map(({ request }) => request.quantity)).toEqual([5, 2]);
  });

  test("tells nothing of released proxies if the purchase beside them is refused: they stay released", async () => {
    const [run, five] = await bought();
    const three = await edit(run, five, { quantity: 3 });
    const next = later(run);
    const { planned } = await planEdit(next, three, { quantity: 7 });
    next.service.before.createOrder = async () => {
      throw serviceFailure("rejected");
    };
    await failureOf(next.orders.update(three.state, planned));
    expect(await next.account.story.lastWords()).not.toContain("took back");
    delete next.service.before.createOrder;
    const again = later(run);
    await edit(again, three, { quantity: 7 });
    expect(await again.account.story.lastWords()).toContain("took back 2 IPv4 proxies in USA");
  });

  test("forgets released proxies when they have ended, and then buys", async () => {
    const [run, five] = await bought();
    extend(run, 3);
    const three = await edit(run, await refresh(run, five), { quantity: 3 });
    run.service.now = AFTER_END;
    const next = later(run);
    const read = await refresh(next, three);
    expect(read.inputs).toMatchObject({ quantity: 3, holdings: { held: 3, released: [] } });
    const { planned } = await planEdit(next, read, { quantity: 5 });
    expect(planned.quote).toMatchObject({ effect: "topUp", quantity: 2 });
  });

  test("does not count released proxies past their recorded end, even without a refresh", async () => {
    const [run, five] = await bought();
    extend(run, 3);
    const edited = await edit(run, await refresh(run, five), { quantity: 3 });
    const three = await refresh(later(run), edited);
    run.service.now = AFTER_END;
    const { planned, change } = await planEdit(later(run), three, { quantity: 5 });
    expect(planned.quote).toMatchObject({ effect: "topUp", quantity: 2 });
    expect(change).toBe("update");
    const state = await later(run).orders.update(three.state, planned);
    expect(state.proxies).toHaveLength(5);
  });

  test("is not gone while only released proxies live, and takes them back", async () => {
    const [run, five] = await bought();
    const three = await edit(run, five, { quantity: 3 });
    const free = new Set(three.state.released.map(({ ipAddressId }) => ipAddressId));
    run.service.records = run.service.records.map((listed) =>
      free.has(listed.ipAddressId) ? { ...listed, dateEnd: LATER } : listed,
    );
    run.service.now = AFTER_END;
    const next = later(run);
    const none = await refresh(next, three);
    expect(none.inputs).toMatchObject({
      quantity: 0,
      holdings: { held: 0, released: [{ count: 2 }] },
    });
    const state = (await edit(next, none, { quantity: 2 })).state;
    expect(new Set(state.ipAddressIds)).toEqual(free);
    expect(next.service.calls.createOrder).toBe(1);
  });

  test("an update fails if plan and account disagree, and changes nothing", async () => {
    const [run, five] = await bought();
    const three = await edit(run, five, { quantity: 3 });
    const { planned } = await planEdit(later(run), three, { quantity: 5 });
    run.service.records.splice(4);
    const failure = await failureOf(later(run).orders.update(three.state, planned));
    expect(failure.code).toBe("REFRESH_NEEDED");
    expect(run.service.calls.createOrder).toBe(1);
  });
});

describe("another quantity, with proxies whose recorded ends are over and no refresh", () => {
  test.each([
    ["more, and all have ended", 6, 0, "5 of its 5 proxies were"],
    ["fewer, and all have ended", 3, 0, "5 of its 5 proxies were"],
    ["more, and one has ended", 6, 4, "1 of its 5 proxies was"],
  ])("is refused at preview: %s", async (_what, quantity, living, said) => {
    const [run, five] = await bought();
    extend(run, living);
    run.service.now = AFTER_END;
    const { code, message } = await failureOf(planEdit(later(run), five, { quantity }));
    expect(code).toBe("REFRESH_NEEDED");
    expect(message).toContain(`${said} paid until ${DATE_END}, and no refresh has seen`);
    expect(message).toContain("Run again with --refresh");
    expect(run.service.calls.createOrder).toBe(1);
  });

  test("is planned and carried out if the listing shows that all were extended since", async () => {
    const [run, five] = await bought();
    extend(run, 5);
    run.service.now = AFTER_END;
    const eight = await edit(later(run), five, { quantity: 8 });
    expect(eight.state.proxies).toHaveLength(8);
  });

  test("is planned if they have ended by this machine's clock only", async () => {
    const [run, five] = await bought();
    run.service.now = new Date(Date.parse(DATE_END) - 60_000);
    const next = later(run, { ownClock: true });
    next.clock.advance(Date.parse(DATE_END) + 60_000 - next.clock.now().getTime());
    expect((await planEdit(next, five, { quantity: 8 })).change).toBe("update");
  });

  test("needs no listing for the plan while the recorded ends are far away", async () => {
    const [run, five] = await bought();
    const next = later(run);
    run.service.calls.listProxies = 0;
    await planEdit(next, five, { quantity: 3 });
    expect(run.service.calls.listProxies).toBe(0);
  });

  test("leaves the refresh itself alone", async () => {
    const [run, five] = await bought();
    extend(run, 3);
    run.service.now = AFTER_END;
    const next = later(run);
    const wanted = { ...five.inputs, quantity: 6 };
    expect(await next.orders.diff(five.state, wanted, new Set())).toEqual({ kind: "update" });
  });
});

describe("IPv6 proxies", () => {
  const six = { proxyType: "IPv6", protocol: "HTTP" };

  test("are let go and taken back by whole orders", async () => {
    const [run, five] = await bought({}, six);
    const eight = await edit(run, five, { ...six, quantity: 8 });
    expect(
      (await failureOf(planEdit(later(run), eight, { ...six, quantity: 7 }))).message,
    ).toContain("7000 (5), 7001 (3)");
    const three = await edit(later(run), eight, { ...six, quantity: 3 });
    expect(three.state.released.map(({ orderId }) => orderId)).toEqual(Array(5).fill("7000"));
    const read = await refresh(later(run), three);
    const { planned } = await planEdit(later(run), read, { ...six, quantity: 7 });
    expect(planned.quote).toMatchObject({ effect: "topUp", quantity: 4 });
    const back = await edit(later(run), read, { ...six, quantity: 8 });
    expect(back.state.proxies).toHaveLength(8);
    expect(run.service.calls.createOrder).toBe(2);
  });
});

describe("a resource of several orders", () => {
  test("is read as one, and is short if one of its orders ends in part", async () => {
    const [run, five] = await bought();
    const eight = await edit(run, five, { quantity: 8 });
    run.service.records = run.service.records.map((listed) =>
      listed.orderId === "7001" ? { ...listed, dateEnd: LATER } : listed,
    );
    const longer = await refresh(later(run), eight);
    run.service.now = AFTER_END;
    const next = later(run);
    const three = await refresh(next, longer);
    expect(three.inputs).toMatchObject({ quantity: 3, holdings: { held: 3 } });
    const { planned } = await planEdit(next, three, { quantity: 8 });
    expect(planned.quote).toMatchObject({ effect: "topUp", quantity: 5, price: 7 });
  });

  test.each([
    ["7000", 3],
    ["7001", 5],
  ])("is short by order %s if a person declares it gone", async (gone, remains) => {
    const [run, five] = await bought();
    const eight = await edit(run, five, { quantity: 8 });
    run.service.records = run.service.records.filter(({ orderId }) => orderId !== gone);
    expect((await failureOf(refresh(later(run), eight))).message).toContain("are missing");
    const told = later(run, { settings: { goneOrders: new Set([gone]) } });
    const read = await refresh(told, eight);
    expect(read.inputs).toMatchObject({ quantity: remains, holdings: { held: remains } });
    run.service.records = [];
    const both = later(run, { settings: { goneOrders: new Set(["7000", "7001"]) } });
    expect(await both.orders.read(eight.state)).toEqual({ kind: "gone" });
  });

  test("goes on if an order that never arrived is declared gone", async () => {
    const [run, five] = await bought();
    deliverOnly(run, 0);
    const pending = await editPending(run, five, { quantity: 8 });
    const told = later(run, { settings: { goneOrders: new Set(["7001"]) } });
    const read = await refresh(told, pending);
    expect(read.state).toMatchObject({ status: "active", quantity: 5 });
    expect((await planEdit(told, read, { quantity: 8 })).planned.quote.effect).toBe("topUp");

    // While the declaration stays the same, the run waits for another further order. The first one does not count
    // again.
    deliverOnly(run, 0);
    const again = await editPending(told, read, { quantity: 8 });
    const settings = { goneOrders: new Set(["7001"]) };
    const reread = await refresh(later(run, { settings }), again);
    expect(reread.inputs).toEqual(again.inputs);
    expect(reread.state).toMatchObject({ status: "pendingDelivery", quantity: 8 });
  });

  test("ends the auto-extension of all of them, and of released proxies, when it is deleted", async () => {
    const [run, five] = await bought();
    const four = await edit(run, await edit(run, five, { quantity: 8 }), { quantity: 4 });
    run.service.records = run.service.records.map((listed) => ({
      ...listed,
      extendInfo: { autoExtend: true, extendDays: 30 },
    }));
    await later(run).orders.delete(four.state);
    expect(run.service.switches.flatMap(({ ipAddressIds }) => ipAddressIds)).toHaveLength(8);
  });

  test("follows proxies that the service exchanges, and buys nothing", async () => {
    const [run, five] = await bought();
    const three = await refresh(run, await edit(run, five, { quantity: 3 }));
    const [held] = three.state.ipAddressIds;
    const [letGo] = three.state.released.map(({ ipAddressId }) => ipAddressId);
    run.service.records = run.service.records.map((listed, index) =>
      listed.ipAddressId === held || listed.ipAddressId === letGo
        ? { ...listed, ipAddressId: `new-${index}`, ipAddressIp: `198.51.100.${index}` }
        : listed,
    );
    const next = later(run);
    const read = await refresh(next, three);
    expect(read.inputs).toEqual(three.inputs);
    expect(read.state.proxies).toHaveLength(3);
    expect(read.state.released).toHaveLength(2);
    expect(read.state.ipAddressIds).not.toContain(held);
    expect((await planEdit(next, read, { quantity: 3 })).change).toBe("none");
  });
});
