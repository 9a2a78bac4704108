import { describe, expect, test } from "vitest";
import { findPurchaseOf, pickPurchase } from "../../../../provider/core/order/adopt/purchase-of.ts";
import type { OrderIntent } from "../../../../provider/core/records/intent.ts";
import { afterSending, listedOrder, orderIntent } from "../../records/intents.ts";

const OWNER = "org/urn:pulumi:dev::fleet::proxyrental:ProxyOrder::fleet";
const OTHER = "org/urn:pulumi:dev::fleet::proxyrental:ProxyOrder::other";
/** The same resource, as a stack of TypeScript resources had it. */
const MOVED = "org/urn:pulumi:dev::fleet::pulumi-nodejs:dynamic/proxyrental:ProxyOrder::fleet";

/** Another order, which began long before. */
const older = listedOrder("4000", { startedAt: afterSending(-9_000) });

/** The id of the purchase that is found for order 5000, named as it is listed or otherwise. */
function find(
  intents: OrderIntent[],
  named = "5000",
  order = listedOrder("5000"),
  other = older,
): string | undefined {
  const sought = { order, proxyType: "IPv4", named, listed: [order, other] } as const;
  return pickPurchase(intents, sought, { owner: OWNER, scope: "" })?.id;
}

const placed = (id: string, more: Partial<OrderIntent> = {}): OrderIntent =>
  orderIntent({ id, phase: "placed", ...more });

describe("the purchase of a listed order in a journal", () => {
  const order = listedOrder("5000");
  const sought = { order, proxyType: "IPv4", named: "5000", listed: [order] } as const;

  /** What a run finds in a journal with this purchase, while the run that made that goes on. */
  async function findIn(intent: OrderIntent, more: { runId?: string } = {}) {
    const journal = {
      readAll: async () => [intent],
      accountId: async () => "ours",
      goesOn: async () => true,
      ...{ runId: "run-2", scope: "", ...more },
    };
    return (await findPurchaseOf(journal, sought, OWNER))?.id;
  }

  test("is none that another run still works on", async () => {
    const going = placed("1", { orderNumber: "5000" });
    await expect(findIn(going)).rejects.toThrow(
      "order 5000 is being bought for fleet by another run. Nothing was taken over.",
    );
    expect(await findIn(going, { runId: "run-1" })).toBe("1");
    expect(await findIn({ ...going, phase: "returned" })).toBe("1");
  });

  test("is told by its name under another API key, too, and by nothing else", async () => {
    const theirs = orderIntent({ id: "1", phase: "returned", account: "theirs" });
    expect(await findIn({ ...theirs, orderNumber: "5000" })).toBe("1");
    expect(await findIn(theirs)).toBeUndefined();
    expect(await findIn({ ...theirs, account: "ours" })).toBe("1");
  });
});

describe("the purchase of a listed order", () => {
  test("is the one that has its listed id, whoever has made it", () => {
    const ours = placed("ours", { orderNumber: "N1" });
    const theirs = placed("theirs", { owner: OTHER, orderNumber: "N2", orderIds: ["5000"] });
    expect(find([ours, theirs])).toBe("theirs");
  });

  test("is the one whose number was named, where it is listed otherwise", () => {
    const others = [1, 2].map((n) => placed(`${n}`, { owner: OTHER, orderNumber: `N${n}` }));
    expect(find(others, "N2")).toBe("2");
  });

  test("is one that is closed, but not one that was never placed", () => {
    const released = { phase: "closed", closedBecause: "released" } as const;
    expect(find([placed("1", { orderNumber: "5000", ...released })])).toBe("1");
    for (const closedBecause of ["rejected", "notPlaced"] as const) {
      expect(find([orderIntent({ phase: "closed", closedBecause, orderNumber: "5000" })])).toBe(
        undefined,
      );
    }
  });

  test("is the newest that can have become the order, where a number was used again", () => {
    const numbers = [1, 2, 3].map((sequence) =>
      placed(`${sequence}`, {
        ...{ sequence, orderNumber: "5000" },
        sentAt: afterSending((sequence - 2) * 1000).toISOString(),
        answerBy: afterSending((sequence - 2) * 1000 + 90).toISOString(),
      }),
    );
    expect(find(numbers)).toBe("2");
  });

  test("is an open one of its name also if the listing tells a wrong start", () => {
    const order = listedOrder("5000", { startedAt: afterSending(-9_000) });
    const open = placed("open", { orderNumber: "5000" });
    expect(find([open], "5000", order)).toBe("open");
    const closed = { ...open, phase: "closed", closedBecause: "expired" } as const;
    expect(find([closed], "5000", order)).toBeUndefined();
    expect(find([open], "5000", order, listedOrder("4000"))).toBeUndefined();
    const wasThere = orderIntent({ phase: "placed", orderNumber: "N1", ordersBefore: ["5000"] });
    expect(find([wasThere], "N1", order)).toBeUndefined();
  });

  test("is none of another type, country or count, whatever its name", () => {
    const named = placed("1", { orderNumber: "5000" });
    expect(find([named], "5000", listedOrder("5000", { country: "DEU" }))).toBeUndefined();
    expect(find([named], "5000", listedOrder("5000", { count: 6 }))).toBeUndefined();
    expect(find([named], "5000", listedOrder("5000", { count: 4 }))).toBe("1");
    const { purchase } = named;
    const mobile = { ...purchase.request, proxyType: "MOBILE" } as const;
    expect(find([{ ...named, purchase: { ...purchase, request: mobile } }])).toBeUndefined();
  });

  test("is one of the resource's own that has it as a candidate, and is not closed", () => {
    const unheard = orderIntent({ id: "1", phase: "unknown", candidates: ["4000", "5000"] });
    const unlike = orderIntent({ id: "2", phase: "unknown", quantity: 9 });
    expect(find([unlike, unheard])).toBe("1");
    expect(find([{ ...unheard, owner: OTHER }])).toBeUndefined();
    const fewer = listedOrder("5000", { count: 4 });
    expect(find([unheard], "5000", fewer)).toBeUndefined();
    expect(find([{ ...unheard, candidates: ["5000"] }], "5000", fewer)).toBe("1");
    const short = listedOrder("5000", { endsAt: afterSending(3 * 86_400) });
    expect(find([unheard], "5000", short)).toBeUndefined();
  });

  test("is the only one of the resource's own that it can be", () => {
    const unheard = orderIntent({ id: "1", phase: "sending" });
    expect(find([unheard])).toBe("1");
    expect(find([{ ...unheard, owner: MOVED }])).toBe("1");
    expect(find([unheard, { ...unheard, id: "2" }])).toBeUndefined();
    expect(find([{ ...unheard, owner: OTHER }])).toBeUndefined();
    expect(find([orderIntent({ ordersBefore: ["5000"] })])).toBeUndefined();
    const released = { ...unheard, phase: "closed", closedBecause: "released" } as const;
    expect(find([released])).toBe("1");
  });

  test("is not one that may be another order, or that ends later", () => {
    const unheard = orderIntent({ id: "1", phase: "sending" });
    const order = listedOrder("5000");
    expect(find([unheard], "5000", order, listedOrder("4000"))).toBeUndefined();
    expect(find([unheard], "5000", order, listedOrder("4000", { count: 3 }))).toBeUndefined();
    const claimed = placed("2", { orderNumber: "4000" });
    expect(find([unheard, claimed], "5000", order, listedOrder("4000"))).toBe("1");
    const theirs = { ...unheard, id: "2", owner: OTHER };
    expect(find([unheard, theirs])).toBeUndefined();
    const short = listedOrder("5000", { endsAt: afterSending(3 * 86_400) });
    expect(find([unheard], "5000", short)).toBeUndefined();
  });

  test("is one that was answered also where not all has arrived", () => {
    const fewer = listedOrder("5000", { count: 3 });
    expect(find([placed("1", { orderNumber: "N-1" })], "5000", fewer)).toBe("1");
    expect(find([orderIntent({ phase: "sending" })], "5000", fewer)).toBeUndefined();
  });
});
