import { describe, expect, test } from "vitest";
import { findPurchaseOf } from "../../../../provider/core/order/adopt/purchase-of.ts";
import type { OrderIntent } from "../../../../provider/core/records/intent.ts";
import { afterSending, listedOrder, orderIntent } from "../../records/intents.ts";

const OWNER = "org/urn:pulumi:dev::fleet::proxyrental:ProxyOrder::fleet";
const OTHER = "org/urn:pulumi:dev::fleet::proxyrental:ProxyOrder::other";
/** The same resource, as a stack of TypeScript resources had it. */
const MOVED = "org/urn:pulumi:dev::fleet::pulumi-nodejs:dynamic/proxyrental:ProxyOrder::fleet";

/** The id of the purchase that is found for order 5000, named as it is listed or otherwise. */
function find(intents: OrderIntent[], named = "5000", order = listedOrder("5000")) {
  const sought = { order, proxyType: "IPv4", named, listed: [order, listedOrder("4000")] } as const;
  return findPurchaseOf(intents, sought, { owner: OWNER, scope: "" })?.id;
}

const placed = (id: string, more: Partial<OrderIntent> = {}): OrderIntent =>
  orderIntent({ id, phase: "placed", ...more });

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
  });

  test("is one of the resource's own that has it as a candidate, and is not closed", () => {
    const unheard = orderIntent({ id: "1", phase: "unknown", candidates: ["4000", "5000"] });
    const unlike = orderIntent({ id: "2", phase: "unknown", quantity: 9 });
    expect(find([unlike, unheard])).toBe("1");
    expect(find([{ ...unheard, owner: OTHER }])).toBeUndefined();
    const closed = { ...unheard, phase: "closed", closedBecause: "resolved" } as const;
    expect(find([closed])).toBeUndefined();
  });

  test("is the only one of the resource's own that it can be", () => {
    const unheard = orderIntent({ id: "1", phase: "sending" });
    expect(find([unheard])).toBe("1");
    expect(find([{ ...unheard, owner: MOVED }])).toBe("1");
    expect(find([unheard, { ...unheard, id: "2" }])).toBeUndefined();
    expect(find([{ ...unheard, owner: OTHER }])).toBeUndefined();
    expect(find([orderIntent({ ordersBefore: ["5000"] })])).toBeUndefined();
  });
});
