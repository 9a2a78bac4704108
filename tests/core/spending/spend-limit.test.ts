import { expect, test } from "vitest";
import { neverCancelled } from "../../../provider/core/account/cancellation.ts";
import { createRunSums } from "../../../provider/core/spending/run-sums.ts";
import { createSpendLimit } from "../../../provider/core/spending/spend-limit.ts";

const openLimit = (maxSpend: number) =>
  createSpendLimit({
    maxSpend,
    cancelled: neverCancelled,
    sums: createRunSums(),
    budget: { beforeRun: async () => undefined },
    journal: { sequenceAtBeginning: async () => 1 },
    tell: async () => undefined,
    hearOthers: async () => undefined,
  });

const seven = { price: 7, currency: "USD" };
const name = (requestId: string) => ({ owner: requestId, requestId });

test("the charged price counts against maxSpend, not the confirmed one", async () => {
  const limit = openLimit(20);
  limit.assertMaySpend("fleet", seven);
  await limit.count(name("a"), 7);
  limit.assertMaySpend("fleet", seven);
  await limit.count(name("a"), 14);
  expect(() => limit.assertMaySpend("fleet", seven)).toThrow("SPEND_LIMIT_REACHED");
});

test("a purchase that was not placed does not count", async () => {
  const limit = openLimit(7);
  await limit.count(name("a"), 7);
  expect(() => limit.assertMaySpend("fleet", seven)).toThrow("SPEND_LIMIT_REACHED");
  await limit.count(name("a"), 0);
  limit.assertMaySpend("fleet", seven);
});

test("after buying was stopped nothing is bought, and each error gives the first reason", async () => {
  const limit = openLimit(100);
  await limit.stop("the first reason");
  await limit.stop("the second reason");
  expect(() => limit.assertMaySpend("fleet", seven)).toThrow("BUYING_STOPPED: the first reason");
});

test("a resource without a stack buys nothing, neither in the plan nor later", async () => {
  const limit = openLimit(100);
  const owner = "urn:pulumi:dev::default::proxyrental:index:ProxyOrder::usa";
  expect(await limit.plan(owner, seven, 1_000)).toMatchObject({
    code: "STACK_REQUIRED",
    reason: expect.stringContaining("a resource without a stack buys nothing"),
  });
  expect(() => limit.assertMaySpend(owner, seven)).toThrow("STACK_REQUIRED: a resource without");
  const inStack = "acme/urn:pulumi:dev::fleet::proxyrental:index:ProxyOrder::default";
  expect(await limit.plan(inStack, seven, 1_000)).toBeUndefined();
  limit.assertMaySpend(inStack, seven);
});
