import { expect, test } from "vitest";
import type { ProxyRecord } from "../../../provider/client/index.ts";
import { ofOrders } from "../../../provider/core/account/listing.ts";
import { record } from "../support/fake-service.ts";

test("the proxies of several orders come as they are listed, each once", () => {
  const listed = [record("B", 1), record("A", 2), record("C", 3), record("B", 4)];
  const found = ofOrders(listed, ["A", "B", "B", "unlisted"]);
  expect(found).toEqual([listed[0], listed[1], listed[3]]);
});

test("a row is looked at once, however many orders of a stack are asked for", () => {
  let looks = 0;
  const orderIds = Array.from({ length: 100 }, (_, index) => `order-${index}`);
  const listed = orderIds.map(
    (orderId, index): ProxyRecord => ({
      ...record(orderId, index),
      get orderId() {
        looks++;
        return orderId;
      },
    }),
  );
  for (const orderId of orderIds) expect(ofOrders(listed, [orderId])).toHaveLength(1);
  expect(looks).toBe(listed.length);
});
