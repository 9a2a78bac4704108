import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { startSimulator } from "./index.ts";

interface Flags {
  port: number;
  host: string;
  seed: number;
  balance: string;
  latency: number;
  pageCap: number;
  deliveryDelay: number;
  differentOrderNumbers?: true;
  idsChangeOnExtension?: true;
  ispUsersPrefix?: true;
}

const command = new Command("simulator")
  .description("A local account of the proxy rental service: real HTTP, no money")
  .option("--port <number>", "port to listen on; 0 is any free one", parseWhole, 0)
  .option("--host <address>", "address to listen on", "127.0.0.1")
  .option("--seed <number>", "same seed, same ids, addresses and logins", parseWhole, 1)
  .option("--balance <amount>", "what the account begins with", parseAmount, "1000.00")
  .option("--latency <ms>", "how long each answer is held back", parseWhole, 0)
  .option("--page-cap <count>", "largest page the listing gives", parseCount, 25)
  .option("--delivery-delay <ms>", "how long an order's proxies take to appear", parseWhole, 0)
  .option("--different-order-numbers", "orderNumber differs from the listing's orderId")
  .option("--ids-change-on-extension", "extended proxies get new ids")
  .option("--isp-users-prefix", "ISP countries and rent periods only under /users");

try {
  await run(command.parse().opts<Flags>());
} catch (error) {
  command.error(`error: ${error instanceof Error ? error.message : String(error)}`);
}

async function run(flags: Flags): Promise<void> {
  const simulator = await startSimulator({
    port: flags.port,
    host: flags.host,
    seed: flags.seed,
    balance: flags.balance,
    latencyMs: flags.latency,
    pageCap: flags.pageCap,
    deliveryDelayMs: flags.deliveryDelay,
    orderNumberDiffersFromOrderId: flags.differentOrderNumbers,
    idsChangeOnExtension: flags.idsChangeOnExtension,
    ispNeedsUsersPrefix: flags.ispUsersPrefix,
  });
  console.log(`Proxy rental simulator at ${simulator.baseUrl}, balance ${simulator.balance()}`);
  console.log(`Key: ${simulator.apiKey}`);
  console.log("\nTo use it:");
  console.log(`export PROXYRENTAL_BASE_URL=${simulator.baseUrl}`);
  console.log(`export PROXYRENTAL_API_KEY=${simulator.apiKey}`);
  // The next simulator gives the same order numbers again, and a journal would take them for these.
  const journalDir = join(tmpdir(), `proxyrental-journal-${randomUUID()}`);
  console.log(`export PROXYRENTAL_JOURNAL_DIR=${journalDir}`);
  console.log("\nCtrl-C stops it; nothing is kept.");
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void simulator.stop());
  }
}

function parseWhole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("A whole number is expected.");
  return Number(text);
}

function parseCount(text: string): number {
  const count = parseWhole(text);
  if (count === 0) throw new InvalidArgumentError("At least 1 is expected.");
  return count;
}

function parseAmount(text: string): string {
  if (!/^\d{1,12}(\.\d{1,2})?$/.test(text)) {
    throw new InvalidArgumentError("An amount such as 500 or 500.00 is expected.");
  }
  return text;
}
