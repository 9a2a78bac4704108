import { expect, it } from "vitest";
import { startForTest } from "../../simulator/start.ts";
import { spendingOf } from "../../support/spending.ts";
import { createStack } from "../../support/stack.ts";

const fleet = (order: Record<string, unknown> = {}) => `
resources:
  web:
    type: proxyrental:ProxyOrder
    properties: ${JSON.stringify({
      ...{ proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30, goal: "prices" },
      ...order,
    })}
  renewal:
    type: proxyrental:IpAutoExtend
    properties:
      proxyType: IPv4
      ipAddressIds: \${web.ipAddressIds}
      rentPeriodDays: 30
variables:
  account:
    fn::invoke:
      function: proxyrental:getBalance
outputs:
  balance: \${account.balance}
  price: \${web.quote.price}
  number: \${web.orderNumber}
  urls: \${web.urls}
`;

it("a YAML program's whole life: priced, bought once, edited, refused, refreshed, let go", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...{ simulator, runtime: "yaml", program: fleet() },
    // The engine must start the plugin itself, so that this test covers the plugin's whole life.
    spawned: true,
  });

  const preview = await stack.succeed("preview");
  expect(preview).toContain("buys 5 IPv4 proxies in USA for 30 days for 7.00 USD");
  expect(preview).toMatch(/price\s*: 7/);
  expect(preview).toMatch(/balance\s*: 1000/);
  expect(spendingOf(simulator).charges).toEqual([]);

  await stack.succeed("up");
  expect(spendingOf(simulator).charges).toEqual(["7.00"]);
  const web = (await stack.state()).find("web");
  expect(web?.outputs).toMatchObject({ status: "active", orderNumber: web?.id });
  expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");

  await stack.rewrite(fleet({ quantity: 8 }));
  const growth = await stack.succeed("preview", "--diff");
  expect(growth).toContain("~ quantity: 5 => 8");
  expect(growth).toMatch(/\+ price\s*: 4\.2/);
  await stack.succeed("up");
  expect(spendingOf(simulator).charges).toEqual(["7.00", "4.20"]);

  await stack.rewrite(fleet({ quantity: 8, country: "DEU" }));
  expect(await stack.fail("preview")).toContain(
    'EDIT_REFUSED: changing country ("USA" to "DEU") would mean buying again for 11.76 USD',
  );
  await stack.rewrite(fleet({ quantity: 8, goal: "something else" }));
  expect(await stack.succeed("preview")).toContain("goal recorded for the next purchase");
  await stack.succeed("up");

  const destroy = await stack.succeed("destroy");
  expect(destroy).toContain("the service has no cancellation: order 4683731 stays paid until");
  expect(spendingOf(simulator).charges).toEqual(["7.00", "4.20"]);
  expect(simulator.proxies().filter(({ autoExtend }) => autoExtend)).toEqual([]);
});
