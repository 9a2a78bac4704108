import { describe, expect, test } from "vitest";
import type { RunIdentity } from "../../../provider/core/ports.ts";
import { beginRun, given, ownerOf } from "../support/orders-under-test.ts";

/** A run of one phase, whose processes know each other. */
function runOf(phase: ReturnType<RunIdentity["phase"]>): RunIdentity {
  return { run: "127.0.0.1:4000", command: "up", commandId: "1-1", phase: () => phase };
}

describe("the story of a run", () => {
  test("tells plans in a preview only", async () => {
    const preview = beginRun({ run: runOf("preview") });
    await preview.plan();
    expect(preview.log.lines).toEqual([expect.stringContaining("fleet: buys 5 IPv4 proxies")]);
    const up = beginRun({ run: runOf("update") });
    const inputs = await up.plan();
    expect(up.log.lines).toEqual([]);
    expect(await up.account.story.lastWords()).toBeUndefined();
    await up.orders.create(inputs);
    expect(up.log.lines).toEqual([
      expect.stringMatching(
        /^fleet: bought 5 IPv4 proxies in USA for 30 days for 7\.00 USD: order 7000, paid until /,
      ),
    ]);
  });

  test("says what is said of one resource once, however often it is checked", async () => {
    const { plan, orders, log, account } = beginRun({ run: runOf("preview") });
    await plan();
    await orders.check(ownerOf("fleet"), undefined, given());
    expect(log.lines).toHaveLength(1);
    expect(await account.story.lastWords()).toContain("In all: 1 purchase for 7.00 USD.");
  });

  test("says the sum of all processes once", async () => {
    const run = runOf("preview");
    const first = beginRun({ run });
    const second = beginRun({ run, service: first.service, besideOthers: true });
    const reader = beginRun({ run, service: first.service, besideOthers: true });
    await first.plan("a");
    await second.plan("b", { quantity: 2 });
    expect(await reader.account.story.lastWords()).toBeUndefined();
    expect(await first.account.story.lastWords()).toContain("In all: 2 purchases for 9.80 USD.");
    expect(await second.account.story.lastWords()).toBeUndefined();
  });

  test("says at the end of a preview that its machine alone knows what is bought, if that is at risk", async () => {
    const { plan, account } = beginRun({
      run: runOf("preview"),
      settings: { isJournalAtRisk: true },
    });
    await plan();
    expect(await account.story.lastWords()).toMatch(/on this machine alone.*$/);
  });

  test("has no sum beside a refusal", async () => {
    const { plan, orders, account } = beginRun({ run: runOf("preview") });
    await plan("a");
    const { failures } = await orders.check(ownerOf("b"), undefined, given({ maxPrice: 1 }));
    expect(failures).toHaveLength(1);
    expect(await account.story.lastWords()).toBeUndefined();
  });

  test("says nothing of a recorded edit that is refused", async () => {
    const { buy, orders, log } = beginRun({ run: runOf("preview") });
    const { inputs } = await buy();
    log.lines.length = 0;
    const edit = given({ quantity: 8, promoCode: "WRONG" });
    const { failures } = await orders.check(ownerOf("fleet"), inputs, edit);
    expect(failures).toMatchObject([{ code: "PROMO_CODE_NOT_VALID" }]);
    expect(log.lines).toEqual([]);
  });
});
