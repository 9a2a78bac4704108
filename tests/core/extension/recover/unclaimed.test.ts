import { describe, expect, test } from "vitest";
import {
  beginRun,
  dieBeforeSending,
  given,
  owner,
  type Run,
} from "../../support/extensions-under-test.ts";
import type { FakeService } from "../../support/fake-service.ts";
import { failureOf } from "../../support/orders-under-test.ts";

const OTHER = owner.replace(/keep$/, "other");

const MAY_BE_PAID = /^keep: an earlier run may have paid/;

/** A run that has paid for an extension, and is killed before the engine saves that. */
async function payAndDie(run = beginRun()) {
  const paid = await run.extend();
  run.die();
  return { ...paid, service: run.service };
}

const later = (service: FakeService, options = {}) =>
  beginRun({ service, endsLast: true, ...options });

async function warningsOf({ account, log }: Run): Promise<string[]> {
  await account.story.lastWords();
  return log.warnings;
}

/** Another resource of the stack, for other proxies. */
const checkOther = (run: Run, name = OTHER) =>
  run.extensions.check(name, undefined, given({ ipAddressIds: ["ip-3"] }));

const named = [
  expect.stringMatching(
    /^keep: an earlier run has paid 2\.00 USD for 30 more days of 2 IPv4 proxies \(sent at .*\), and no state has it\. .*journal resolve .* --closed/,
  ),
];

describe("307: an extension of a run that was killed", () => {
  test("is named by each run whose program does not have its resource any more", async () => {
    const { service } = await payAndDie();
    for (const run of [later(service), later(service)]) {
      await checkOther(run);
      expect(await warningsOf(run)).toEqual(named);
    }
    expect(service.extensions).toHaveLength(1);
  });

  test("is named where its resource has another name now, which pays nothing again", async () => {
    const { service, inputs } = await payAndDie();
    const run = later(service);
    const { checked } = await run.extensions.check(OTHER, undefined, given());
    expect(checked.quote).toEqual({ effect: "none" });
    await run.extensions.create({ ...inputs, ...checked });
    expect(await warningsOf(run)).toEqual(named);
    expect(service.extensions).toHaveLength(1);
  });

  test("is its resource's affair, which takes it over", async () => {
    const { service } = await payAndDie();
    const run = later(service);
    await run.extend();
    expect(await warningsOf(run)).toEqual([]);
  });

  test("is not named where a state has it: the engine has saved it", async () => {
    const { service, state } = await payAndDie();
    const run = later(service);
    await run.extensions.delete(state);
    expect(await warningsOf(run)).toEqual([]);
  });

  test("is not named if its run has ended in the ordinary way, which saves it", async () => {
    const paying = beginRun();
    await paying.extend();
    await paying.account.journal.endRun();
    const run = later(paying.service);
    await checkOther(run);
    expect(await warningsOf(run)).toEqual([]);
  });

  test("is another stack's affair", async () => {
    const { service } = await payAndDie();
    const run = later(service);
    await checkOther(run, OTHER.replace(":dev:", ":prod:"));
    expect(await warningsOf(run)).toEqual([]);
  });

  test("is named also where nobody knows whether it was paid", async () => {
    const { service } = await dieBeforeSending();
    const run = later(service);
    await checkOther(run);
    expect(await warningsOf(run)).toEqual([expect.stringMatching(MAY_BE_PAID)]);
  });
});

test("308: an extension that was sent with another API key is judged by nobody, and stops what is about its proxies", async () => {
  const { service } = await dieBeforeSending(beginRun({ apiKey: "one" }));
  const run = later(service, { apiKey: "other" });
  const { code } = await failureOf(run.plan());
  expect(code).toBe("ORDER_OUTCOME_UNKNOWN");
  expect(await run.open()).toEqual(["sending"]);
});
