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

test("the charged price counts against maxSpend, not the confirmed one", async () => {
  const limit = openLimit(20);
  limit.assertMaySpend(seven);
  await limit.count(name("a"), 7);
  limit.assertMaySpend(seven);
  await limit.count(name("a"), 14);
  expect(() => limit.assertMaySpend(seven)).toThrow("SPEND_LIMIT_REACHED");
});

test("a purchase that was not placed does not count", async () => {
  const limit = openLimit(7);
  await limit.count(name("a"), 7);
  expect(() => limit.assertMaySpend(seven)).toThrow("SPEND_LIMIT_REACHED");
  await limit.count(name("a"), 0);
  limit.assertMaySpend(seven);
});

test("after buying was stopped nothing is bought, and each error gives the first reason", async () => {
  const limit = openLimit(100);
  await limit.stop("the first reason");
  await limit.stop("the second reason");
  expect(() => limit.assertMaySpend(seven)).toThrow("BUYING_STOPPED: the first reason");
});
