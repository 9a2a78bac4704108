import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { beginCommand } from "../../journals/file/children.ts";
import { startForTest } from "../../simulator/start.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { fiveProxies } from "../support/orders-under-test.ts";

const script = fileURLToPath(import.meta.resolve("./racing-child.ts"));

test("of processes that race for the last of a monthly budget, one buys, and the others send nothing", async () => {
  const simulator = await startForTest();
  const journalDir = await makeTemporaryFolder();
  const environment = {
    PROXYRENTAL_BASE_URL: simulator.baseUrl,
    PROXYRENTAL_API_KEY: simulator.apiKey,
    PROXYRENTAL_JOURNAL_DIR: journalDir,
    PROXYRENTAL_MONTHLY_BUDGET: "13.99",
  };
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  // Each buys something else, so none can take the purchase of another one for its own.
  const children = ["USA", "DEU", "GBR"].map((country) => {
    const owner = `org/urn:pulumi:${country}::fleet::proxyrental:ProxyOrder::fleet`;
    const order = [owner, JSON.stringify({ ...fiveProxies, country })];
    return beginCommand("env", [...settings, process.execPath, script, ...order]);
  });
  const plans = await Promise.all(children.map((child) => child.nextLine()));
  expect(plans).toEqual(["planned", "planned", "planned"]);
  for (const child of children) child.tell("buy");
  const ends = await Promise.all(children.map((child) => child.nextLine()));
  for (const child of children) child.tell("end");
  expect(ends.filter((end) => end?.startsWith("bought"))).toHaveLength(1);
  expect(ends.filter((end) => end?.includes("BUDGET_EXCEEDED: "))).toHaveLength(2);
  expect(simulator.requestCounts().createOrder).toBe(1);
}, 30_000);
