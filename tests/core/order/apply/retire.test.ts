import { describe, expect, test } from "vitest";
import type { AccountSettings } from "../../../../provider/core/account.ts";
import {
  AFTER_END,
  DATE_END,
  moveEnds,
  record,
  serviceFailure,
  showInstead,
  unlist,
} from "../../support/fake-service.ts";
import { beginRun, failureOf } from "../../support/orders-under-test.ts";

/** A delivered order in a later run. Some of its proxies have automatic extension. */
async function laterRun(renewing: Record<string, number>, settings: Partial<AccountSettings> = {}) {
  const first = beginRun();
  const bought = await first.buy();
  const { service } = first;
  service.records = service.records.map((listed) => {
    const extendDays = renewing[listed.ipAddressId];
    if (extendDays === undefined) return listed;
    return { ...listed, extendInfo: { autoExtend: true, extendDays } };
  });
  return { ...bought, ...beginRun({ service, settings }) };
}

const off = (ipAddressIds: string[], rentPeriodDays = 30) => ({
  proxyType: "IPv4",
  ipAddressIds,
  rentPeriodDays,
  autoExtend: false,
});

describe("deleting an order", () => {
  test("switches nothing off if nothing is on, and says until when it is paid", async () => {
    const { orders, state, service, log } = await laterRun({});
    await orders.delete(state);
    expect(service.switches).toEqual([]);
    expect(log.lines).toEqual([
      `fleet: is let go; the service has no cancellation: order 7000 stays paid until ${DATE_END}`,
    ]);
  });

  test("names every order, and never says that one stays paid until a time that has passed", async () => {
    const { orders, state, service, log } = await laterRun({});
    const names = { requestId: "another", orderNumber: "7001", orderIds: ["7001"] };
    const further = { ...state.purchases[0], ...names };
    const grown = {
      ...state,
      orderIds: ["7000", "7001"],
      purchases: [...state.purchases, further],
    };
    service.now = AFTER_END;
    await orders.delete(grown);
    expect(log.lines).toEqual([
      `fleet: is let go; the service has no cancellation: order 7000 ended on ${DATE_END.slice(0, 10)}, order 7001 has ended`,
    ]);
  });

  describe("that was extended since it was recorded", () => {
    const EXTENDED = "2026-04-30T00:00:00.000Z";
    const extend = ({ service }: Awaited<ReturnType<typeof laterRun>>, days = 30) =>
      moveEnds(service, ["ip-1", "ip-2", "ip-3", "ip-4", "ip-5"], days);

    test.each([
      ["before its recorded end", undefined],
      ["after its recorded end, when it is alive", AFTER_END],
    ])("says the end that is listed: %s", async (_when, now) => {
      const run = await laterRun({});
      extend(run);
      if (now) run.service.now = now;
      await run.orders.delete(run.state);
      expect(run.log.lines.join()).toContain(`order 7000 stays paid until ${EXTENDED}`);
    });

    test("says the end of what has arrived since", async () => {
      const run = await laterRun({});
      extend(run);
      run.service.now = AFTER_END;
      await run.orders.delete({ ...run.state, proxies: [] });
      expect(run.log.lines.join()).toContain(`order 7000 stays paid until ${EXTENDED}`);
    });

    test("says the recorded end if the listing is behind, or has nothing of it", async () => {
      const run = await laterRun({});
      showInstead(run.service, "all", (records) =>
        records.map((listed) => ({ ...listed, dateEnd: "2026-03-20T00:00:00.000Z" })),
      );
      await run.orders.delete(run.state);
      delete run.service.before.listProxies;
      unlist(run.service, () => true);
      const next = beginRun({ service: run.service });
      await next.orders.delete(run.state);
      for (const { log } of [run, next]) {
        expect(log.lines.join()).toContain(`order 7000 stays paid until ${DATE_END}`);
      }
    });
  });

  test("switches off exactly what is on", async () => {
    const { orders, state, service, log } = await laterRun({ "ip-2": 30, "ip-4": 30 });
    service.records.push(record("8000", 99, { extendInfo: { autoExtend: true, extendDays: 30 } }));
    await orders.delete(state);
    expect(service.switches).toEqual([off(["ip-2", "ip-4"])]);
    expect(log.lines.join()).toContain("auto-extension is now off");
  });

  test("switches off with the days of each flag, or with the order's if the flag has none", async () => {
    const { orders, state, service } = await laterRun({ "ip-1": 30, "ip-2": 90, "ip-3": 0 });
    await orders.delete(state);
    expect(service.switches).toEqual([off(["ip-1", "ip-3"]), off(["ip-2"], 90)]);
  });

  test("switches off with a period on offer if the flag's own period is refused", async () => {
    const { orders, state, service } = await laterRun({ "ip-1": 45 });
    service.before.setAutoExtension = async ({ rentPeriodDays }) => {
      if (rentPeriodDays === 45) throw serviceFailure("rejected");
    };
    await orders.delete(state);
    expect(service.calls).toMatchObject({ setAutoExtension: 2, extend: 0 });
    expect(service.switches).toEqual([off(["ip-1"])]);
  });

  test.each([
    ["with a period on offer", 30, "rejected"],
    ["that is no refusal", 45, "unknown"],
  ] as const)("tries no other period after a failure %s", async (_what, days, outcome) => {
    const { orders, state, service } = await laterRun({ "ip-1": days });
    service.before.setAutoExtension = async () => {
      throw serviceFailure(outcome);
    };
    expect((await failureOf(orders.delete(state))).code).toBe("AUTO_EXTENSION_FAILED");
    expect(service.calls.setAutoExtension).toBe(1);
  });

  test("spends nothing", async () => {
    const { orders, state, service } = await laterRun({ "ip-1": 30 });
    await orders.delete(state);
    expect(service.calls).toMatchObject({ createOrder: 1, extend: 0, calculateOrder: 2 });
  });

  test.each([
    ["no longer listed", []],
    ["only other orders are listed", [record("8000", 99)]],
  ])("succeeds if it has ended: %s", async (_how, records) => {
    const { orders, state, service } = await laterRun({});
    service.records = records;
    service.now = AFTER_END;
    await orders.delete(state);
    expect(service.switches).toEqual([]);
  });

  test("that is declared gone switches off the flags that are listed as on", async () => {
    const { orders, state, service } = await laterRun(
      { "ip-1": 30 },
      { goneOrders: new Set(["7000"]) },
    );
    await orders.delete(state);
    expect(service.switches).toEqual([off(["ip-1"])]);
  });
});

describe("if auto-extension can't be switched off", () => {
  const troubles = {
    "the listing fails": (service: Awaited<ReturnType<typeof laterRun>>["service"]) => {
      service.before.listProxies = async () => {
        throw serviceFailure("rejected");
      };
    },
    "the switch is refused": (service: Awaited<ReturnType<typeof laterRun>>["service"]) => {
      service.before.setAutoExtension = async () => {
        throw serviceFailure("rejected");
      };
    },
    "the echo leaves one out": (service: Awaited<ReturnType<typeof laterRun>>["service"]) => {
      service.before.setAutoExtension = async (request) => ({
        ...request,
        quantity: 1,
        ipAddressIds: ["ip-1"],
      });
    },
  };

  test.each(Object.entries(troubles))(
    "a delete fails and names the proxies: %s",
    async (_what, spoil) => {
      const { orders, state, service } = await laterRun({ "ip-1": 30, "ip-2": 30 });
      spoil(service);
      const failure = await failureOf(orders.delete(state));
      expect(failure.code).toBe("AUTO_EXTENSION_FAILED");
      expect(failure.message).toContain("order 7000 stays in the state");
      expect(failure.message).toContain("ip-1, ip-2");
      expect(failure.message).toContain("proxyrental:onDeleteFailure");
    },
  );

  test.each(Object.entries(troubles))(
    "a delete goes on with a warning if the user allows that: %s",
    async (_what, spoil) => {
      const { orders, state, service, log } = await laterRun(
        { "ip-1": 30, "ip-2": 30 },
        { onDeleteFailure: "abandon" },
      );
      spoil(service);
      await orders.delete(state);
      expect(log.warnings.join()).toContain("order 7000 is abandoned");
    },
  );

  test("a delete fails on an unreadable state, abandoned or not", async () => {
    const { orders } = await laterRun({}, { onDeleteFailure: "abandon" });
    expect((await failureOf(orders.delete({}))).code).toBe("STATE_UNREADABLE");
  });
});
