import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Big from "big.js";
import { createClient, proxyTypes } from "pulumi-proxyrental/client";
import { type Simulator, startSimulator } from "pulumi-proxyrental/simulator";
import { fetchThrough } from "../examples/fetch-through/fetch-through.ts";
import { checkoutDir } from "../toolchain/project.ts";
import { ensurePulumi } from "../toolchain/pulumi-cli.ts";
import { tell, tellItem, tellStep } from "./console.ts";
import { startPage } from "./page.ts";
import { type DemoStack, makeDemoStack, type UsableProxies } from "./stack.ts";

const POLICY_PACK = join(checkoutDir, "policy");

/** Plays the main job from beginning to end, with the real CLI and the local simulator. */
async function main(): Promise<void> {
  tellStep("A Pulumi CLI");
  const { binDir, version, source } = await ensurePulumi();
  tell(`Pulumi ${version} (${source})`);

  tellStep("A simulator of the proxy rental service: real HTTP, real proxies, no money");
  const simulator = await startSimulator({ seed: 1, live: true });
  const dir = await mkdtemp(join(tmpdir(), "proxyrental-demo-"));
  const { baseUrl, apiKey } = simulator;
  const stack = await makeDemoStack(dir, binDir, {
    PROXYRENTAL_BASE_URL: baseUrl,
    PROXYRENTAL_API_KEY: apiKey,
  });
  try {
    await showCatalogue(simulator);
    const planned = await tellStory(stack, simulator);
    compareLedger(simulator, planned);
  } finally {
    await Promise.all([simulator.stop(), stack.remove()]);
  }
}

async function showCatalogue({ baseUrl, apiKey }: Simulator): Promise<void> {
  const client = createClient({ baseUrl, apiKey });
  const { balance, currency } = await client.getBalance();
  tellItem("balance", `${balance} ${currency}`);
  for (const proxyType of proxyTypes) {
    const countries = await client.listCountries(proxyType);
    const periods = await client.listRentPeriods(proxyType);
    const codes = countries.map((country) => country.alpha3code).join(" ");
    tellItem(proxyType, `${codes}; ${periods.join(", ")} days`);
  }
  await client.close();
}

/** Plays all steps. Returns the sum that the plans announced. */
async function tellStory(stack: DemoStack, simulator: Simulator): Promise<Big> {
  let planned = new Big(0);
  const up = async (...flags: string[]) => {
    planned = planned.plus(await stack.plannedSpend());
    await stack.run(["up", "--yes", "--skip-preview", ...flags]);
  };

  tellStep("The preview shows what each order will cost; nothing is bought");
  await stack.run(["preview"]);

  tellStep("The same preview, stopped by a policy that allows 20 USD an order");
  const limits = JSON.stringify({ "max-order-price": { max: 20 } });
  const config = await stack.writeFile("low-cap.json", limits);
  const strict = ["--policy-pack", POLICY_PACK, "--policy-pack-config", config];
  await stack.run(["preview", ...strict], "refusal");

  tellStep("Bought, under the pack's own limits");
  await up("--policy-pack", POLICY_PACK);

  tellStep("The proxies; their URLs hold passwords, so they are secret");
  await stack.showOutputs();

  tellStep("A second up changes nothing and spends nothing");
  await up("--expect-no-changes");

  tellStep("Somebody switches auto-extension off behind our back; the next preview finds it");
  const extended = simulator.proxies().filter((proxy) => proxy.autoExtend);
  simulator.setAutoExtension(
    extended.map((proxy) => proxy.ipAddressId),
    false,
  );
  await stack.run(["preview"]);
  tell("and up puts it right:");
  await up();

  tellStep("An edit that would mean paying twice is refused, at preview");
  await stack.editProgram('protocol: "HTTP"', 'protocol: "SOCKS"');
  await stack.run(["preview"], "refusal");
  await stack.editProgram('protocol: "SOCKS"', 'protocol: "HTTP"');

  tellStep("A page, fetched through the proxies that were bought");
  const proxies = await stack.usableProxies();
  await fetchPage(proxies);

  tellStep("Let go: auto-extension off; what is paid stays usable");
  await stack.run(["destroy", "--yes", "--skip-preview"]);
  tell("and is used:");
  await fetchPage(proxies);
  return planned;
}

/** Fetches the page through one proxy of each scheme. If a page does not arrive, the demo ends. */
async function fetchPage({ urls, socks5Proxies }: UsableProxies): Promise<void> {
  const page = await startPage();
  try {
    for (const proxy of [{ uri: urls.flat()[0] }, socks5Proxies.flat()[0]]) {
      if (proxy?.uri === undefined) throw new Error("the stack hands on no proxy");
      const { protocol, host } = new URL(proxy.uri);
      const seen = await fetchThrough({ ...proxy, uri: proxy.uri }, page.url);
      tellItem(protocol, `${host}: ${seen}`);
      if (!seen.startsWith("200 /prices")) throw new Error("that is not the page");
    }
  } finally {
    page.close();
  }
}

/** Checks the promise: to the cent, the service has charged what the plans said. */
function compareLedger(simulator: Simulator, planned: Big): void {
  tellStep("The service's ledger against what the plans said");
  const ledger = simulator.ledger();
  for (const { orderNumber, quantity, proxyType, country, price } of ledger) {
    tellItem(orderNumber, `${price.padStart(8)} USD  ${quantity} ${proxyType} in ${country}`);
  }
  const charged = ledger.reduce((sum, entry) => sum.plus(entry.price), new Big(0));
  tell(`planned ${planned.toFixed(2)} USD, charged ${charged.toFixed(2)} USD`);
  if (!charged.eq(planned)) throw new Error("the ledger differs from the plans");
  const posts = simulator.requestCounts().createOrder;
  if (posts !== ledger.length) throw new Error(`${posts} orders were sent for ${ledger.length}`);
}

try {
  await main();
} catch (error) {
  // How to come by a CLI, above all: a stack of calls would hide it.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
