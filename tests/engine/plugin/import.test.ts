import { expect, it } from "vitest";
import type { Simulator } from "../../../simulator/index.ts";
import { startForTest } from "../../simulator/start.ts";
import { writerFor } from "../../support/program-writer.ts";
import { ordered, spendingOf } from "../../support/spending.ts";
import { createStack } from "../../support/stack.ts";

const { on, order, program } = writerFor("plugin");

const held = { proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 } as const;

/** An order that no run has bought, with auto-extension on. */
function holdOrder(simulator: Simulator) {
  const bought = simulator.placeForeignOrder(held);
  simulator.setAutoExtension(bought.ipAddressIds, true, 30);
  return bought;
}

it("`pulumi import` takes an order into the stack for nothing, and its generated code plans no change", async () => {
  const simulator = await startForTest();
  const { orderNumber } = holdOrder(simulator);
  const before = spendingOf(simulator);
  const stack = await createStack({ ...on, simulator, program: program() });

  const text = await stack.succeed(
    "import",
    ...["proxyrental:index:ProxyOrder", "web", orderNumber, "--yes", "--protect=false"],
  );
  const code = text.slice(text.indexOf("resources:"));
  expect(code).toContain("type: proxyrental:ProxyOrder");
  expect(code).not.toMatch(/owner|requestId|holdings|quote/);
  const web = (await stack.state()).find("web");
  expect(web?.id).toBe(orderNumber);
  expect(web?.outputs).toMatchObject({
    ...{ status: "active", credentials: "[encrypted]", urls: "[encrypted]", purchases: [] },
  });

  await stack.rewrite(code);
  expect((await stack.plan()).changes).toEqual({ same: 2 });
  // The account does not show these arguments of an order, so a program may state them at any time.
  await stack.rewrite(program(order("web", { goal: "in my words", rentPeriodDays: 60 })));
  expect((await stack.plan("--refresh")).changes).toEqual({ same: 2 });
  await stack.succeed("up", "--refresh");
  expect(spendingOf(simulator)).toEqual(before);
  expect(simulator.proxies().every(({ autoExtend }) => autoExtend)).toBe(true);

  await stack.succeed("destroy");
  expect(simulator.proxies().some(({ autoExtend }) => autoExtend)).toBe(false);
  expect(spendingOf(simulator)).toEqual(before);
});

it("`import:` in a program does the same, and buys only other resources that the plan shows", async () => {
  const simulator = await startForTest();
  const { orderNumber } = holdOrder(simulator);
  const before = spendingOf(simulator);
  const importing = (args: object) => program(order("web", args, `{ import: "${orderNumber}" }`));
  const stack = await createStack({ ...on, simulator, program: importing({ goal: "mine" }) });
  expect((await stack.plan()).op("web")).toBe("import");
  await stack.succeed("up");
  await stack.rewrite(program(order("web", { goal: "mine" })));
  expect((await stack.plan("--refresh")).changes).toEqual({ same: 2 });
  expect(spendingOf(simulator)).toEqual(before);

  // If the program asks for more than the imported order holds, the rest is bought, and the preview says so.
  const other = simulator.placeForeignOrder({ ...held, country: "DEU" });
  const more = { country: "DEU", quantity: 6 };
  await stack.rewrite(program(order("more", more, `{ import: "${other.orderNumber}" }`)));
  const { charges } = spendingOf(simulator);
  expect(await stack.succeed("preview")).toContain(
    "buys 1 IPv4 proxy in DEU for 30 days, to make 6",
  );
  expect(spendingOf(simulator).charges).toEqual(charges);
  await stack.rewrite(
    program(order("more", { country: "FRA" }, `{ import: "${other.orderNumber}" }`)),
  );
  expect(await stack.fail("preview")).toContain("EDIT_REFUSED: changing country");
  expect(spendingOf(simulator).charges).toEqual(charges);
});

it("65 `pulumi import` does not give an order to a second resource: it is refused, and nothing is switched off", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  await stack.succeed("up");
  const [bought] = simulator.orders();
  const { orderNumber = "", ipAddressIds = [] } = bought ?? {};
  simulator.setAutoExtension(ipAddressIds, true, 30);
  const type = "proxyrental:index:ProxyOrder";
  const text = await stack.fail("import", type, "second", orderNumber, "--yes");
  expect(text).toMatch(/order \S+ was bought by usa .* Nothing was imported/s);
  expect((await stack.state()).find("second")).toBeUndefined();
  expect(simulator.proxies().every(({ autoExtend }) => autoExtend)).toBe(true);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("an unknown number, or text that is no number, is refused and the error says what to do", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: program() });
  const importAs = (kind: string) =>
    stack.fail("import", `proxyrental:index:${kind}`, "web", "4711", "--yes");
  expect(await importAs("ProxyOrder")).toContain(
    "ORDER_MISSING: order 4711 is not among the account's living orders. Nothing was imported.",
  );
  expect(await importAs("IpAutoExtend")).toContain("Declare it instead");
  expect(await importAs("IpExtension")).toContain("Declare it instead");
  expect((await stack.state()).find("web")).toBeUndefined();
});
