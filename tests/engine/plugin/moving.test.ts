import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Simulator } from "../../../simulator/index.ts";
import { startForTest } from "../../simulator/start.ts";
import { program } from "../../support/program.ts";
import { pluginLines, pluginResources } from "../../support/program-files.ts";
import { ordered, spendingOf } from "../../support/spending.ts";
import { createStack } from "../../support/stack.ts";

const web = `{ proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30, goal: "prices" }`;

const renewal = `{ proxyType: "IPv4", rentPeriodDays: 30, ipAddressIds: web.ipAddressIds }`;

/** The program on the dynamic host, with these options for each resource. */
const onDynamic = (options = "{}") =>
  program(
    `const web = new ProxyOrder("web", ${web}, ${options});`,
    `new IpAutoExtend("renewal", ${renewal}, ${options});`,
    "export const number = web.orderNumber;",
  );

/** The same program on the plugin. */
const onPlugin = (options = "{}") =>
  [
    'import { IpAutoExtend, ProxyOrder } from "./plugin-resources.ts";',
    `const web = new ProxyOrder("web", ${web}, ${options});`,
    `new IpAutoExtend("renewal", ${renewal});`,
  ].join("\n");

const renewing = (simulator: Simulator) => simulator.proxies().filter((proxy) => proxy.autoExtend);

it("a stack moves from dynamic resources to the plugin as docs/languages.md says: nothing is bought or switched off", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ simulator, projectLines: pluginLines, program: onDynamic() });
  for (const [file, text] of Object.entries(pluginResources())) {
    await writeFile(join(stack.folder, file), text);
  }
  await stack.succeed("up");
  const bought = ordered("7.00");
  expect(spendingOf(simulator)).toEqual(bought);
  const { orderNumber } = simulator.orders()[0] ?? {};

  await stack.rewrite(onDynamic("{ retainOnDelete: true }"));
  await stack.succeed("up");
  const switches = simulator.requestCounts().setAutoExtension;
  await stack.rewrite(onPlugin(`{ import: "${orderNumber}" }`));
  const plan = await stack.plan("--refresh");
  expect(plan.changes).toMatchObject({ import: 1, delete: 2 });
  await stack.succeed("up", "--refresh");
  expect(simulator.requestCounts().setAutoExtension).toBe(switches);

  await stack.rewrite(onPlugin());
  expect((await stack.plan("--refresh")).changes).toEqual({ same: 3 });
  expect((await stack.state()).find("web")?.type).toBe("proxyrental:index:ProxyOrder");
  expect(renewing(simulator)).toHaveLength(5);
  expect(spendingOf(simulator)).toEqual(bought);
});
