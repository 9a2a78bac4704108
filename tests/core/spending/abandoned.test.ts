import { describe, expect, test } from "vitest";
import { buyAndDie, dieBeforeSending, phasesOf } from "../../journals/file/killed-runs.ts";
import { beginRun as beginExtensionRun } from "../support/extensions-under-test.ts";
import { serviceFailure } from "../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf, type Run } from "../support/orders-under-test.ts";

const elsewhere = { country: "DEU", goal: "another" };

/** What the journal said of the purchases of others when this run sent its own. */
async function buySomethingElse(run: Run): Promise<unknown[]> {
  let seen: unknown[] = [];
  const planned = await run.plan("other", elsewhere);
  run.service.before.createOrder = async () => {
    delete run.service.before.createOrder;
    const all = await run.journal.store.readAll();
    seen = all.filter(({ owner }) => owner !== ownerOf("other"));
    return undefined;
  };
  await run.orders.create(planned);
  return seen;
}

describe("what a killed run has sent is judged and written down before anything else is sent", () => {
  test("an order of another resource that was placed", async () => {
    const { service } = await buyAndDie("sending");
    const seen = await buySomethingElse(beginRun({ service }));
    expect(seen).toMatchObject([{ phase: "placed", orderNumber: "7000", owner: ownerOf("fleet") }]);
    expect(service.orders).toHaveLength(2);
  });

  test("an order of another resource that was not placed", async () => {
    const { service } = await dieBeforeSending();
    const seen = await buySomethingElse(beginRun({ service }));
    expect(seen).toMatchObject([{ phase: "closed", closedBecause: "notPlaced" }]);
    expect(service.orders).toHaveLength(1);
  });

  test("an order of another stack", async () => {
    const theirs = beginRun();
    const owner = ownerOf("fleet").replace("dev", "prod");
    const { checked } = await theirs.orders.check(owner, undefined, given());
    theirs.journal.store.replace = async () => {
      throw new Error("the process is gone");
    };
    theirs.die();
    await theirs.orders.create(checked as Parameters<typeof theirs.orders.create>[0]);
    const run = beginRun({ service: theirs.service });
    await run.buy("ours", elsewhere);
    expect(await phasesOf(run)).toEqual(["placed", "returned"]);
  });

  test("an extension", async () => {
    const killed = beginExtensionRun();
    const planned = await killed.plan();
    const { replace } = killed.journal.store;
    killed.journal.store.replace = async () => {
      throw new Error("the process is gone");
    };
    killed.die();
    await killed.extensions.create(planned).catch(() => undefined);
    killed.journal.store.replace = replace;
    const run = beginRun({ service: killed.service, settings: { lookBackMinutes: 0 } });
    expect(await phasesOf(run)).toEqual(["sending"]);
    const seen = await buySomethingElse(run);
    expect(seen).toMatchObject([{ phase: "placed", purchase: { kind: "extension" } }]);
  });

  test("by an extension that is paid next", async () => {
    const killed = await buyAndDie("sending");
    const run = beginExtensionRun({ service: killed.service });
    const ids = killed.service.records.map(({ ipAddressId }) => ipAddressId);
    const planned = await run.plan({ ipAddressIds: ids });
    await run.extensions.create(planned).catch(() => undefined);
    expect(run.service.calls.extend).toBeGreaterThan(0);
    expect(await run.open()).toContain("placed");
    expect(await run.open()).not.toContain("sending");
  });

  test("only once, however many purchases follow", async () => {
    const { service } = await buyAndDie("sending");
    const run = beginRun({ service });
    await Promise.all(["a", "b", "c"].map((goal) => run.buy(goal, { country: "DEU", goal })));
    const looks = run.log.lines.filter((line) => line.includes("looking at the account"));
    expect(looks).toHaveLength(1);
    expect(service.orders).toHaveLength(4);
  });
});

describe("is not judged, and stops nothing else", () => {
  test("what was sent with another API key: this account can't tell", async () => {
    const { service } = await buyAndDie("sending", { run: beginRun({ apiKey: "key-of-a" }) });
    const settings = { lookBackMinutes: 0 };
    const run = beginRun({ service, apiKey: "key-of-b", settings });
    await run.buy("other", elsewhere);
    expect(await phasesOf(run)).toEqual(["returned", "sending"]);
  });

  test("what is in the journal of another name for the service", async () => {
    const { service } = await buyAndDie("sending", {
      run: beginRun({ baseUrl: "http://service.test" }),
    });
    const run = beginRun({
      service,
      baseUrl: "http://alias.test",
      settings: { lookBackMinutes: 0 },
    });
    await run.buy("other", elsewhere);
    expect((await run.account.journal.readElsewhere()).map(({ phase }) => phase)).toEqual([
      "sending",
    ]);
  });

  test("what a run has sent that goes on", async () => {
    const { service } = await buyAndDie("sending", { run: beginRun() });
    const run = beginRun({ service, besideOthers: true });
    await run.buy("other", elsewhere);
    expect(await phasesOf(run)).toEqual(["returned", "sending"]);
  });
});

test("where the account can't be looked at, that is written down, and nothing is sent", async () => {
  const { service } = await buyAndDie("sending");
  const run = beginRun({ service });
  const planned = await run.plan("other", elsewhere);
  service.before.listProxies = async () => {
    throw serviceFailure("rejected");
  };
  expect((await failureOf(run.orders.create(planned))).code).toBe("SERVICE_REFUSED");
  expect(service.orders).toHaveLength(1);
  expect(await phasesOf(run)).toEqual(["unknown"]);
});
