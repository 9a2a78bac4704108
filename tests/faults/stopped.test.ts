import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it, vi } from "vitest";
import { createOrderLifecycle } from "../../provider/core/order/lifecycle.ts";
import { readSettings } from "../../provider/host/settings.ts";
import { openSystemAccount } from "../../provider/host/system.ts";
import { runCli } from "../cli/command.ts";
import { fiveProxies, given, ownerOf } from "../core/support/orders-under-test.ts";
import { beginCommand } from "../journals/file/children.ts";
import { describeProduct } from "../journals/store-contract.ts";
import { postgres } from "../journals/stores/products/postgres.ts";
import { startForTest } from "../simulator/start.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { readIntents } from "./journal-files.ts";

vi.setConfig({ testTimeout: 60_000 });

const script = fileURLToPath(import.meta.resolve("./stopped-child.ts"));

/**
 * Stops a process that has recorded its purchase and is about to connect.
 * @param timeoutSeconds until when it may send
 * @param shared the variables of a journal that machines share. @default a folder
 */
async function stopBeforeTheFirstByte(
  timeoutSeconds = "2",
  shared?: Readonly<Record<string, string>>,
) {
  const simulator = await startForTest({ now: () => new Date() });
  const journalDir = await makeTemporaryFolder();
  const environment = {
    // The child waits in the lookup of the service's name. An address would not be looked up.
    PROXYRENTAL_BASE_URL: simulator.baseUrl.replace("127.0.0.1", "localhost"),
    PROXYRENTAL_API_KEY: simulator.apiKey,
    ...(shared ?? { PROXYRENTAL_JOURNAL_DIR: journalDir }),
    PROXYRENTAL_TIMEOUT_SECONDS: timeoutSeconds,
    PROXYRENTAL_SETTLING_SECONDS: "1",
  };
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const order = [ownerOf("fleet"), JSON.stringify(fiveProxies)];
  const child = beginCommand("env", [...settings, process.execPath, script, ...order]);
  expect(await child.nextLine()).toBe("connecting");
  child.signal("SIGSTOP");
  // The child reads this when it is continued, and then connects.
  child.tell("go on");

  /** Buys in a later run of the same program. */
  async function buy(): Promise<string> {
    const account = openSystemAccount(
      readSettings({ config: () => undefined, environment: { ...environment } }),
      {
        project: "/project",
        log: { info: () => {}, progress: () => {}, remark: () => {}, warn: () => {} },
      },
    );
    const orders = createOrderLifecycle(account);
    const { checked, failures } = await orders.check(ownerOf("fleet"), undefined, given());
    expect(failures).toEqual([]);
    const { orderNumber } = await orders.create(checked);
    return orderNumber;
  }

  /** How every purchase in the journal has ended. */
  const phases = async () =>
    (await readIntents(journalDir)).map(({ phase, closedBecause }) => closedBecause ?? phase);
  const intents = () => readIntents(journalDir);
  return { simulator, child, buy, phases, intents, environment, journalDir };
}

const neverSent = /ACCOUNT_BUSY|SERVICE_TIMEOUT|SERVICE_UNREACHABLE/;

it("84 A: a process stopped before its first byte does not send it if another run has bought meanwhile", async () => {
  const { simulator, child, buy, phases } = await stopBeforeTheFirstByte();
  const orderNumber = await buy();
  child.signal("SIGCONT");
  expect(await child.nextLine()).toMatch(neverSent);
  expect(await child.ended()).toBe(0);
  expect(simulator.orders().map((order) => order.orderNumber)).toEqual([orderNumber]);
  expect(simulator.requestCounts().createOrder).toBe(1);
  expect((await phases()).sort()).toEqual(["notPlaced", "returned"]);
});

await describeProduct(postgres, ({ product }) => {
  it("84 C: the same on a journal that machines share, by whose clock the other run waits", async () => {
    const { url, environment: credentials } = product().enter("stopped");
    // Stores read them from their process.
    for (const [variable, value] of Object.entries(credentials)) vi.stubEnv(variable, value);
    const shared = { ...credentials, PROXYRENTAL_JOURNAL: url };
    const { simulator, child, buy, environment } = await stopBeforeTheFirstByte("3", shared);
    const beganMs = performance.now();
    const orderNumber = await buy();
    // Until no answer can come any more: timeoutSeconds, and settlingSeconds.
    expect(performance.now() - beganMs).toBeGreaterThan(2_000);
    child.signal("SIGCONT");
    expect(await child.nextLine()).toMatch(neverSent);
    expect(await child.ended()).toBe(0);
    expect(simulator.orders().map((order) => order.orderNumber)).toEqual([orderNumber]);
    expect(simulator.requestCounts().createOrder).toBe(1);
    const { stdout } = await runCli(["journal", "list", "--all", "--json"], { env: environment });
    expect(JSON.parse(stdout)).toMatchObject([
      { phase: "closed", closedBecause: "notPlaced" },
      { phase: "returned", orderNumber },
    ]);
  });
});

it("84 B: a process stopped for longer than its answer may take does not send it, and leaves nothing behind", async () => {
  const { simulator, child, phases } = await stopBeforeTheFirstByte();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  child.signal("SIGCONT");
  expect(await child.nextLine()).toMatch(neverSent);
  expect(await child.ended()).toBe(0);
  expect(simulator.orders()).toEqual([]);
  expect(await phases()).toEqual([]);
});

it("150 A: a process stopped before its first byte does not send it if a person has closed the purchase meanwhile", async () => {
  const { simulator, child, phases, intents, environment } = await stopBeforeTheFirstByte("60");
  const [{ id } = { id: "" }] = await intents();
  const closing = await runCli(["journal", "resolve", id, "--closed"], { env: environment });
  expect([closing.exitCode, closing.stderr]).toEqual([0, ""]);
  child.signal("SIGCONT");
  expect(await child.nextLine()).toMatch(neverSent);
  await child.ended();
  expect(simulator.requestCounts().createOrder).toBe(0);
  expect(await phases()).toEqual(["resolved"]);
});

it("150 B: a process stopped before its first byte does not send it if its journal was moved meanwhile", async () => {
  const { simulator, child, phases, environment, journalDir } = await stopBeforeTheFirstByte("60");
  const to = await makeTemporaryFolder();
  const urls = [journalDir, to].map((folder) => pathToFileURL(folder).href);
  const copying = await runCli(["journal", "copy", ...urls], { env: environment });
  expect([copying.exitCode, copying.stderr]).toEqual([0, ""]);
  child.signal("SIGCONT");
  expect(await child.nextLine()).toMatch(neverSent);
  await child.ended();
  expect(simulator.requestCounts().createOrder).toBe(0);
  expect(await phases()).toEqual(["sending"]);
});
