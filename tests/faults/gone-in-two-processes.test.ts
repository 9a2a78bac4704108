import { expect, test } from "vitest";
import { buy, goOn, HOUR_MS, makeRuns, oneRun } from "../journals/shared/scoped-runs.ts";
import { planOrder } from "../journals/shared/shared-run.ts";
import type { Interposition } from "../support/account.ts";

const DAYS = 24 * HOUR_MS;

test("267: one process of a run has refreshed what is declared gone by its ids, and another one buys it anew", async () => {
  const runs = await makeRuns("local");
  const fleet = await buy(runs, "");
  await goOn(await runs.begin(""), fleet);
  await buy(runs, "", { name: "other", country: "DEU" });
  runs.clock.advance(3 * DAYS);
  const settings = { goneOrders: new Set(fleet.state.ipAddressIds) };
  const refunded: Interposition = {
    service: (real) => ({
      ...real,
      async listProxies(...call) {
        const page = await real.listProxies(...call);
        const content = page.content.filter(({ orderId }) => orderId !== fleet.state.orderNumber);
        return {
          totalElements: content.length,
          totalPages: 1,
          content,
          answeredAt: page.answeredAt,
        };
      },
    }),
  };
  const options = { run: oneRun, interpose: refunded, settings };
  const found = await (await runs.begin("", options)).orders.read(fleet.state);
  expect(found.kind).toBe("gone");
  const checked = await planOrder(await runs.begin("", options), "fleet");
  expect(checked.quote.effect).toBe("buy");
});
