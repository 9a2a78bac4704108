import { expect, test } from "vitest";
import { beginRun, laterRun, toggle } from "../support/renewals-under-test.ts";
import { showInstead } from "../support/fake-service.ts";

const none = () => [];

test("a deletion goes on where the service leaves out what is listed as off and declared gone", async () => {
  const { renewals, state, service, log } = await laterRun(
    {},
    { settings: { goneOrders: new Set(["ip-1", "ip-2"]) } },
  );
  for (const id of ["ip-1", "ip-2"]) toggle(service, id, false, 0);
  service.before.setAutoExtension = async (request) => ({
    ...request,
    ipAddressIds: [],
    quantity: 0,
  });
  await renewals.delete(state);
  expect(log.warnings).toHaveLength(1);
});

test("a deletion goes on where the service leaves out what this package has switched off before, and is listed no more", async () => {
  const { renewals, inputs, state, service } = await laterRun();
  await renewals.update(state, { ...inputs, autoExtend: false, quote: { effect: "none" } });
  // The state from before is put back after the order has ended.
  service.now = new Date("2026-05-15T00:00:00Z");
  showInstead(service, "all", none);
  service.before.setAutoExtension = async (request) => ({
    ...request,
    ipAddressIds: [],
    quantity: 0,
  });
  const next = beginRun({ service });
  await next.renewals.delete(state);
});
