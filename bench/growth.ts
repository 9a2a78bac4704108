import { join } from "node:path";
import type { Saved } from "../tests/host/plugin/plugin-resource.ts";
import { type Plugin, startPlugin } from "./plugin.ts";
import { countries, type Scale } from "./project.ts";
import { type Service, startService } from "./service.ts";

/** How many orders each stack has. */
const sizes = [10, 100, 500, 1_000] as const;

/** How many resources the engine works on at the same time, at most. Checks are made one after the other. */
const AT_ONCE = 16;

export const growthSteps = ["preview", "up", "no change", "refresh"] as const;

type GrowthStep = (typeof growthSteps)[number];

/** What a step of one stack took. */
export interface GrowthSample {
  msAnOrder: number;
  /** Pages of the listing. */
  pages: number;
  /** The most memory that the plugin has used. */
  peakBytes: number;
}

export interface Growth extends Scale {
  steps: Record<GrowthStep, GrowthSample>;
}

interface GrowthOptions {
  ips: number;
  folder: string;
  packageDir: string;
  progress(line: string): void;
}

/**
 * How time and memory of the plugin grow with the number of orders, up to a listing of 10,000 proxies. There is no engine: it
 * saves its whole state for each resource, so that its own time would hide the plugin's.
 */
export async function measureGrowth(options: GrowthOptions): Promise<Growth[]> {
  const grown: Growth[] = [];
  for (const orders of sizes) grown.push(await measureSize(orders, options));
  return grown;
}

async function measureSize(
  orders: number,
  { ips, folder, packageDir, progress }: GrowthOptions,
): Promise<Growth> {
  const service = await startService(0);
  const names = Array.from({ length: orders }, (_, index) => `order-${index}`);
  const saved = new Map<string, Saved>();
  const run = (step: GrowthStep, work: (plugin: Plugin) => Promise<void>) => {
    progress(`${step} of ${orders} orders, the plugin alone`);
    const own = { packageDir, folder: join(folder, `growth-${orders}`), env: service.env };
    return measureStep(service, orders, own, work);
  };
  const savedOf = (name: string): Saved => {
    const found = saved.get(name);
    if (found === undefined) throw new Error(`${name} was not made`);
    return found;
  };
  const argsOf = (index: number) => ({
    ...{ proxyType: "IPv4", country: countries[index % countries.length] },
    ...{ quantity: ips, rentPeriodDays: 30, goal: "measuring" },
  });
  const checkAll = async (plugin: Plugin) => {
    const checked = new Map<string, Saved["inputs"]>();
    for (const [index, name] of names.entries()) {
      const before = saved.get(name)?.inputs ?? {};
      const { inputs, failures } = await plugin.order(name).check(before, argsOf(index));
      const [failure] = failures;
      if (failure) throw new Error(`${name}: ${failure.property} ${failure.reason}`);
      checked.set(name, inputs);
    }
    return checked;
  };
  try {
    return {
      orders,
      ips,
      steps: {
        preview: await run("preview", async (plugin) => {
          const checked = await checkAll(plugin);
          await eachAtOnce([...checked], ([name, inputs]) =>
            plugin.order(name).create(inputs, { preview: true }),
          );
        }),
        up: await run("up", async (plugin) => {
          const checked = await checkAll(plugin);
          await eachAtOnce([...checked], async ([name, inputs]) =>
            saved.set(name, await plugin.order(name).create(inputs)),
          );
        }),
        "no change": await run("no change", async (plugin) => {
          const checked = await checkAll(plugin);
          await eachAtOnce([...checked], ([name, inputs]) =>
            plugin.order(name).diff(savedOf(name), inputs),
          );
        }),
        refresh: await run("refresh", (plugin) =>
          eachAtOnce(names, (name) => plugin.order(name).read(savedOf(name))),
        ),
      },
    };
  } finally {
    await service.stop();
  }
}

/** Each step has a process of its own, as each command of the CLI. */
async function measureStep(
  service: Service,
  orders: number,
  own: Parameters<typeof startPlugin>[0],
  work: (plugin: Plugin) => Promise<void>,
): Promise<GrowthSample> {
  await service.takeRequestCounts();
  const plugin = await startPlugin(own);
  try {
    const begunAtMs = performance.now();
    await work(plugin);
    const msAnOrder = (performance.now() - begunAtMs) / orders;
    const { peakBytes } = await plugin.readUsage();
    const { listProxies: pages = 0 } = await service.takeRequestCounts();
    return { msAnOrder, pages, peakBytes };
  } finally {
    await plugin.stop();
  }
}

async function eachAtOnce<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  const workOff = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workOff));
}
