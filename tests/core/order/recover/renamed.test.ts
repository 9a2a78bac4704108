import { describe, expect, test } from "vitest";
import { countReadings, expectOneOrder, reasonsOf } from "../../../journals/file/killed-runs.ts";
import type { FakeService } from "../../support/fake-service.ts";
import { type Bought, beginRun, given, ownerOf } from "../../support/orders-under-test.ts";

/** A later run that has the order in the state. In its program the resource has this name. */
async function meet(service: FakeService, { inputs, state }: Bought, name: string) {
  const run = beginRun({ service });
  const { checked, failures } = await run.orders.check(ownerOf(name), inputs, given());
  expect(failures).toEqual([]);
  expect((await run.orders.diff(state, checked, new Set())).kind).toBe("none");
  return run;
}

test("an order that was renamed with an alias, and then removed from the state, is not bought again", async () => {
  const { service, buy } = beginRun();
  const bought = await buy("old");
  const renamed = await meet(service, bought, "new");
  await renamed.orders.read(bought.state);
  expect(await reasonsOf(beginRun({ service, settings: { lookBackMinutes: 0 } }), "new")).toContain(
    "order 7000",
  );
  expectOneOrder(service);
});

test("an order is not bought again if its rename was undone before a state followed it", async () => {
  const { service, buy } = beginRun();
  const bought = await buy("old");
  // A plugin learns late that it serves a preview. Here a person saw the new name in the preview and declined.
  await meet(service, bought, "new");
  await meet(service, bought, "old");
  expect(await reasonsOf(beginRun({ service, settings: { lookBackMinutes: 0 } }), "old")).toContain(
    "order 7000",
  );
  expectOneOrder(service);
});

test("an order is not bought again if its run was killed before the state had its new name", async () => {
  const { service, buy } = beginRun();
  const bought = await buy("old");
  await meet(service, bought, "new");
  // A refresh compares with the inputs of the last saved run.
  const next = await meet(service, bought, "old");
  await next.orders.diff(bought.state, { owner: ownerOf("new"), quantity: 5 }, new Set());
  expect(await reasonsOf(beginRun({ service, settings: { lookBackMinutes: 0 } }), "new")).toContain(
    "order 7000",
  );
});

test("the names of purchases are read once, however many resources there are", async () => {
  const { service, buy } = beginRun();
  const bought = [await buy("one"), await buy("two")];
  const run = beginRun({ service });
  const readings = countReadings(run);
  for (const [index, { state }] of bought.entries()) {
    await run.orders.diff(state, { owner: ownerOf(`new-${index}`), quantity: 5 }, new Set());
  }
  expect(readings()).toBe(1);
  const owners = (await run.account.journal.readAll()).map(({ owner }) => owner);
  expect(owners.sort()).toEqual([ownerOf("new-0"), ownerOf("new-1")]);
});

describe("100: a resource that was renamed with an alias, and another one that has its former name", () => {
  /** Its state keeps the former name as long as nothing else is edited. */
  async function renameOne() {
    const { service, buy } = beginRun();
    const bought = await buy("old");
    const { checked } = await (await meet(service, bought, "new")).orders.check(
      ownerOf("new"),
      bought.inputs,
      given(),
    );
    return { service, state: bought.state, inputs: checked };
  }

  test("are two resources, also after a refresh", async () => {
    const { service, state, inputs } = await renameOne();
    const run = beginRun({ service });
    await run.orders.read(state);
    await run.orders.diff(state, inputs, new Set());
    const { inputs: planned } = await run.buy("old", { country: "DEU" });
    expect(planned.quote.effect).toBe("buy");
    expect(run.log.warnings).toEqual([]);
    expect(service.orders).toHaveLength(2);
  });

  test("and the order is in nobody's way after the renamed one was deleted", async () => {
    const { service, state } = await renameOne();
    await beginRun({ service }).orders.delete(state);
    await beginRun({ service }).plan("new");
    await beginRun({ service }).buy("new");
    expect(service.orders).toHaveLength(2);
  });

  test("and the order of the one is not let go with the other", async () => {
    const { service, state, inputs } = await renameOne();
    const second = beginRun({ service });
    await second.orders.diff(state, inputs, new Set());
    const other = await second.buy("old", { country: "DEU" });
    const last = beginRun({ service });
    await last.orders.read(state);
    await last.orders.read(other.state);
    await last.orders.delete(other.state);
    expect(
      await reasonsOf(beginRun({ service, settings: { lookBackMinutes: 0 } }), "new"),
    ).toContain("order 7000");
  });
});
