import { describe, expect, test } from "vitest";
import { findAlike } from "../../../../provider/core/order/plan/unknown-orders.ts";
import { reasonsOf } from "../../../journals/file/killed-runs.ts";
import { listedOrder } from "../../records/intents.ts";
import {
  createFakeService,
  type FakeService,
  record,
  serviceFailure,
  WHILE_PAID,
} from "../../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf } from "../../support/orders-under-test.ts";

const minutesAgo = (minutes: number) =>
  new Date(WHILE_PAID.getTime() - minutes * 60_000).toISOString();

/** An account with an order that another machine has bought. */
function accountWith(more: Parameters<typeof record>[2] = {}, count = 5): FakeService {
  const service = createFakeService();
  const dateStart = minutesAgo(5);
  for (let n = 1; n <= count; n++) {
    service.records.push(record("9000", 90 + n, { dateStart, ...more }));
  }
  return service;
}

/** Five proxies that somebody ordered a moment ago. */
function likeOrder(orderId: string) {
  const dateStart = WHILE_PAID.toISOString();
  return [1, 2, 3, 4, 5].map((n) => record(orderId, 10 * Number(orderId) + n, { dateStart }));
}

/** A run whose order 9000 is there and not answered, until the answer is lost; and runs beside it. */
async function buyUnanswered() {
  const { service, orders, plan, journal } = beginRun();
  const planned = await plan();
  const sent = Promise.withResolvers<void>();
  const lost = Promise.withResolvers<void>();
  service.before.createOrder = async () => {
    service.records.push(...likeOrder("9000"));
    sent.resolve();
    await lost.promise;
    throw serviceFailure("unknown");
  };
  const buying = orders.create(planned);
  await sent.promise;
  const lose = () => {
    lost.resolve();
    return buying;
  };
  const elsewhere = () => beginRun({ service, besideOthers: true });
  return { service, runId: journal.runId, elsewhere, lose };
}

describe("an unknown new order like the planned one", () => {
  test("stops the purchase at preview, and the error names every way out", async () => {
    const run = beginRun({ service: accountWith() });
    const reason = await reasonsOf(run);
    expect(reason).toContain("5 IPv4 proxies in USA, ordered within the last 30 minutes");
    expect(reason).toContain(`order 9000 (since ${minutesAgo(5)})`);
    expect(reason).toContain("Nothing was bought");
    expect(reason).toContain('adoptOrderNumber: "9000"');
    expect(reason).toContain("--refresh");
    expect(reason).toContain("PROXYRENTAL_FOREIGN_ORDERS=9000");
    expect(run.service.calls.createOrder).toBe(0);
  });

  test("does not stop the purchase if another resource adopts it, even one checked later or by another provider", async () => {
    const run = { run: "127.0.0.1:4000", command: "up", phase: () => "update" as const } as const;
    const service = accountWith();
    const first = beginRun({ service, run, apiKey: "key-of-a" });
    const second = beginRun({ service, run, apiKey: "key-of-a", besideOthers: true });
    for (const process of [first, second]) {
      const elsewhere = process === first ? second : first;
      const adopting = given({ adoptOrderNumber: "9000" });
      const [reasons, { failures }] = await Promise.all([
        reasonsOf(process, "other"),
        elsewhere.orders.check(ownerOf("fleet"), undefined, adopting),
      ]);
      expect([reasons, failures]).toEqual(["", []]);
    }
  });

  test("stops the purchase even if its beginning is unknown", async () => {
    const service = accountWith({ dateStart: undefined });
    expect(await reasonsOf(beginRun({ service }))).toContain("order 9000 (since ?)");
  });

  test("stops the purchase even if one of its rows slipped to another page and the total stayed the same", async () => {
    const service = createFakeService({ pageSize: 5 });
    const older = [1, 2, 3].map((n) => record("6000", n, { dateStart: minutesAgo(1_000) }));
    service.records = [...older, ...accountWith().records];
    let pages = 0;
    service.before.listProxies = async () => {
      if (++pages === 2) service.records = [...service.records.slice(1), record("6001", 4)];
      return undefined;
    };
    expect(await reasonsOf(beginRun({ service }))).toContain("order 9000");
  });

  test("takes one listing to find if the listing has one page", async () => {
    const { service } = beginRun({ service: accountWith({ country: "DEU" }) });
    expect((await beginRun({ service }).plan()).quote.effect).toBe("buy");
    expect(service.calls.listProxies).toBe(1);
  });

  test("stops every resource that it could belong to, and the error names all such orders", async () => {
    const service = accountWith();
    service.records.push(...[1, 2, 3, 4, 5].map((n) => record("9001", 190 + n)));
    const run = beginRun({ service });
    for (const name of ["fleet", "other"]) {
      const reason = await reasonsOf(run, name);
      expect(reason).toContain("9000");
      expect(reason).toContain("PROXYRENTAL_FOREIGN_ORDERS=9000,9001");
    }
  });

  test("is dated by the service's clock, not by this machine's", async () => {
    const service = accountWith();
    service.now = new Date(WHILE_PAID.getTime() + 26 * 60_000);
    expect(await reasonsOf(beginRun({ service }))).toBe("");
    service.now = new Date(WHILE_PAID.getTime() + 24 * 60_000);
    expect(await reasonsOf(beginRun({ service }))).toContain("9000");
  });
});

describe("a purchase goes on beside an order", () => {
  test.each([
    ["of another country", { country: "DEU" }, 5],
    ["of fewer proxies", {}, 4],
    ["of more proxies", {}, 6],
    ["that began earlier", { dateStart: minutesAgo(31) }, 5],
  ])("%s", async (_what, more, count) => {
    expect(await reasonsOf(beginRun({ service: accountWith(more, count) }))).toBe("");
  });

  test("of another type, in another listing", async () => {
    const service = accountWith();
    const { listProxies } = service;
    const empty = { totalElements: 0, totalPages: 0, content: [], answeredAt: WHILE_PAID };
    service.listProxies = async (request) =>
      request.proxyType === "IPv6" ? empty : listProxies(request);
    const args = { proxyType: "IPv6", protocol: "HTTP" };
    expect(await reasonsOf(beginRun({ service }), "fleet", args)).toBe("");
  });

  test.each([
    ["that a person has declared foreign", { foreignOrders: new Set(["9000"]) }],
    ["if looking back is turned off", { lookBackMinutes: 0 }],
    ["that is older than the look-back time", { lookBackMinutes: 4 }],
  ])("%s", async (_what, settings) => {
    const run = beginRun({ service: accountWith(), settings });
    const { state } = await run.buy();
    expect(state.orderNumber).toBe("7000");
  });

  test("that a state holds", async () => {
    const { inputs, state } = await beginRun().buy();
    const service = createFakeService();
    service.records.push(...[1, 2, 3, 4, 5].map((n) => record("7000", n)));
    const run = beginRun({ service });
    expect(await reasonsOf(run, "other")).toContain("7000");
    await run.orders.diff(state, inputs, new Set());
    expect(await reasonsOf(run, "other")).toBe("");
  });

  test("that the journal has for another resource", async () => {
    const { service, buy } = beginRun();
    await buy();
    expect(await reasonsOf(beginRun({ service }), "other")).toBe("");
  });

  test("that the journal has paid under an unlisted number, but only beside one such order", async () => {
    const { service, buy } = beginRun();
    await buy();
    const listed = service.records.map((one) => ({ ...one, orderId: "LISTED-1" }));
    service.records.splice(0, listed.length, ...listed);
    expect(await reasonsOf(beginRun({ service }), "other")).toBe("");
    service.records.push(...likeOrder("9001"));
    expect(await reasonsOf(beginRun({ service }), "other")).toContain("It may be this purchase");
  });

  test("that this run bought for another resource", async () => {
    const run = beginRun();
    await run.buy();
    expect(await reasonsOf(run, "other")).toBe("");
  });

  test("that may be the unanswered purchase of a living run, but only beside one such order", async () => {
    const { service, elsewhere, lose } = await buyUnanswered();
    expect(await reasonsOf(elsewhere(), "other")).toBe("");
    service.records.push(...likeOrder("9001"));
    expect(await reasonsOf(elsewhere(), "other")).toContain("order 9001");
    service.records.splice(5);
    expect((await lose()).orderNumber).toBe("9000");
  });

  test.each([1, 2, 3])(
    "that another run has bought, if that run ends when it is asked for the %d. time whether it goes on",
    async (last) => {
      const { runId, elsewhere, lose } = await buyUnanswered();
      const run = elsewhere();
      const { isUnderWay } = run.account.journal;
      let questions = 0;
      run.account.journal.isUnderWay = async (intent) => {
        if (intent.runId !== runId) return isUnderWay(intent);
        questions++;
        if (questions === last) await lose();
        return questions < last;
      };
      expect(await reasonsOf(run, "other")).toBe("");
      expect(questions).toBeGreaterThanOrEqual(last);
    },
  );

  test("that another resource of the same program adopts", async () => {
    const run = beginRun({ service: accountWith() });
    await run.plan("fleet", { adoptOrderNumber: "9000" });
    expect(await reasonsOf(run, "other")).toBe("");
  });
});

test("an edit that buys nothing looks for no orders", async () => {
  const run = beginRun();
  const { inputs, state } = await run.buy();
  const next = beginRun({ service: run.service });
  await next.orders.diff(state, inputs, new Set());
  expect(next.service.calls.createOrder).toBe(1);
});

test("a purchase is not planned if the account can't be read", async () => {
  const run = beginRun();
  run.service.before.listProxies = async (request) => ({
    totalElements: request.page === 0 ? 7 : 8,
    totalPages: 2,
    content: [],
    answeredAt: WHILE_PAID,
  });
  expect((await failureOf(run.plan())).code).toBe("LISTING_INCONSISTENT");
});

test("orders that began since a moment include one that began at it", () => {
  const at = new Date("2026-03-01T12:00:00Z");
  const orders = [-1, 0, 1].map((ms) =>
    listedOrder(`${ms}`, { startedAt: new Date(at.getTime() + ms) }),
  );
  const alike = findAlike(orders, { country: "USA", quantity: 5 }, at);
  expect(alike.map(({ orderId }) => orderId)).toEqual(["0", "1"]);
});
