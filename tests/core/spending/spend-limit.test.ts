import { expect, test } from "vitest";
import { neverCancelled } from "../../../provider/core/account/cancellation.ts";
import { createRunSums } from "../../../provider/core/spending/run-sums.ts";
import { createSpendLimit } from "../../../provider/core/spending/spend-limit.ts";

const openLimit = (maxSpend: number) =>
  createSpendLimit({
    maxSpend,
    cancelled: neverCancelled,
    sums: createRunSums(),
    journal: { sequenceAtBeginning: async () => 1 },
    tell: async () => undefined,
    hearOthers: async () => undefined,
  });

const seven = { price: 7, currency: "USD" };
const name = (requestId: string) => ({ owner: requestId, requestId });

test("what counts against maxSpend is what was charged, not what was confirmed", async () => {
  const limit = openLimit(20);
  limit.assertMaySpend(seven);
  await limit.count(name("a"), 7);
  limit.assertMaySpend(seven);
  await limit.count(name("a"), 14);
  expect(() => limit.assertMaySpend(seven)).toThrow("SPEND_LIMIT_REACHED");
});

test("what was not placed does not count", async () => {
  const limit = openLimit(7);
  await limit.count(name("a"), 7);
  expect(() => limit.assertMaySpend(seven)).toThrow("SPEND_LIMIT_REACHED");
  await limit.count(name("a"), 0);
  limit.assertMaySpend(seven);
});

test("once buying is stopped nothing is bought, and the first reason is told", async () => {
  const limit = openLimit(100);
  await limit.stop("the first reason");
  await limit.stop("the second reason");
  expect(() => limit.assertMaySpend(seven)).toThrow("BUYING_STOPPED: the first reason");
});
