import { expect, test } from "vitest";
import { expectOneOrder, reasonsOf } from "../../../journals/file/killed-runs.ts";
import { beginRun, given, ownerOf } from "../../support/orders-under-test.ts";

test("an order that was renamed with an alias, and then taken out of the state, is not bought again", async () => {
  const { service, buy } = beginRun();
  const { inputs, state } = await buy("old");
  // A later run has it in the state under its new name.
  const renamed = beginRun({ service });
  const { checked, failures } = await renamed.orders.check(ownerOf("new"), inputs, given());
  expect(failures).toEqual([]);
  expect((await renamed.orders.diff(state, checked, new Set())).kind).toBe("none");
  await renamed.orders.read(state);
  expect(await reasonsOf(beginRun({ service, settings: { lookBackMinutes: 0 } }), "new")).toContain(
    "order 7000",
  );
  expectOneOrder(service);
});
