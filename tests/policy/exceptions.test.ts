import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type SpendPolicy, spendPolicies } from "../../policy/index.ts";
import { buying, orderProps, stackViolationsOf, urnOf, violationsOf } from "./policy-under-test.ts";

beforeEach(
  () => void vi.useFakeTimers({ now: new Date("2026-06-30T23:59:59Z"), toFake: ["Date"] }),
);

afterEach(() => void vi.useRealTimers());

const usual = { urn: "fleet", policy: "max-order-price", reason: "a pilot", until: "2026-06-30" };

/** The policies of a pack with this list. The SDK asks them in their order. */
async function packWith(...list: object[]): Promise<(name: string) => SpendPolicy> {
  const policies = spendPolicies();
  const [holder] = policies;
  if (holder === undefined) throw new Error("the pack is empty");
  await violationsOf(holder, { props: {}, config: { list } });
  return (name) => {
    const policy = policies.find((one) => one.name === name);
    if (policy === undefined) throw new Error(`there is no policy ${name}`);
    return policy;
  };
}

const dear = { props: orderProps(buying(500)) };

test.each([
  ["a name", "fleet"],
  ["part of a name", "fl*"],
  ["a URN", urnOf({})],
  ["part of a URN", "urn:pulumi:dev::*"],
  ["everything", "*"],
])("an exception for %s applies through its last day", async (_what, urn) => {
  const pack = await packWith({ ...usual, urn });
  expect(await violationsOf(pack("max-order-price"), dear)).toEqual([]);
});

test.each([
  ["another name", { urn: "fleet2" }],
  ["the beginning of the name", { urn: "flee" }],
  ["the end of the name", { urn: "leet" }],
  ["a pattern that is not a glob", { urn: "f.eet" }],
  ["another stack", { urn: "urn:pulumi:prod::*" }],
  ["another policy", { policy: "stack-budget" }],
])("an exception for %s does not apply here", async (_what, change) => {
  const pack = await packWith({ ...usual, ...change });
  expect(await violationsOf(pack("max-order-price"), dear)).toHaveLength(1);
});

test("an ended exception does not apply, and the message says so", async () => {
  vi.setSystemTime(new Date("2026-07-01T00:00:00Z"));
  const pack = await packWith(usual);
  expect(await violationsOf(pack("max-order-price"), dear)).toEqual([
    expect.stringMatching(/500\.00 USD.+ The exception for it has ended with 2026-06-30\.$/),
  ]);
});

test("without a list nothing is excepted", async () => {
  const pack = await packWith();
  expect(await violationsOf(pack("max-order-price"), dear)).toHaveLength(1);
});

describe.each(["stack-budget", "monthly-run-rate"])("a purchase exempt from %s", (policy) => {
  const config = { max: 10 };
  const spent = (name: string, stack: string) => ({
    name,
    stack,
    config,
    props: orderProps(buying(8), { rentPeriodDays: 30 }),
  });

  test("does not count in it, nor in the stack's sum", async () => {
    const pack = await packWith({ ...usual, policy });
    const budget = pack(policy);
    const members = [spent("fleet", "excepted"), spent("other", "excepted")];
    for (const member of members) expect(await violationsOf(budget, member)).toEqual([]);
    expect(await stackViolationsOf(budget, members, config)).toEqual([]);
  });

  test("counts when the exception has ended", async () => {
    vi.setSystemTime(new Date("2026-07-01T00:00:00Z"));
    const pack = await packWith({ ...usual, policy });
    const budget = pack(policy);
    const members = [spent("fleet", "ended"), spent("other", "ended")];
    expect(await violationsOf(budget, members[0] ?? { props: {} })).toEqual([]);
    expect(await violationsOf(budget, members[1] ?? { props: {} })).toHaveLength(1);
    expect(await stackViolationsOf(budget, members, config)).toEqual([]);
  });
});
