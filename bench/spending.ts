import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type OrderRequest } from "../provider/client/index.ts";
import { openAccount } from "../provider/core/account.ts";
import { createOrderLifecycle } from "../provider/core/order/lifecycle.ts";
import type { CheckedOrder } from "../provider/core/order/model/state.ts";
import type { JournalStore } from "../provider/core/ports.ts";
import type { Intent } from "../provider/core/records/intent.ts";
import { readSettings } from "../provider/host/settings.ts";
import { openFileJournal } from "../provider/journals/file/file-journal.ts";
import { machineTime } from "../provider/journals/machine-time.ts";
import { startService } from "./service.ts";

const request: OrderRequest = {
  proxyType: "IPv4",
  country: "USA",
  quantity: 10,
  rentPeriodDays: 30,
  goal: "measuring",
  authType: "LOGIN",
};

/** Measures spending calls that are sent one after the other, as the provider must send them. No `up` can be faster. */
export async function measurePosts(latencyMs: number, count: number): Promise<number> {
  const service = await startService(latencyMs);
  const client = openClient(service.env);
  try {
    const begunAtMs = performance.now();
    for (let sent = 0; sent < count; sent++) await client.createOrder(request);
    return (performance.now() - begunAtMs) / 1000;
  } finally {
    await client.close();
    await service.stop();
  }
}

/** The cost of a purchase with its journal on disk, and with a journal that stores nothing. */
export interface JournalCost {
  withJournalMs: number;
  withoutJournalMs: number;
}

/** Buys one order after the other without an engine. The result is milliseconds for each order. */
export async function measureJournal(count: number): Promise<JournalCost> {
  const withoutJournalMs = await measurePurchases(count, forgetful);
  const withJournalMs = await measurePurchases(count, (files) => files);
  return { withJournalMs, withoutJournalMs };
}

async function measurePurchases(
  count: number,
  choose: (files: JournalStore) => JournalStore,
): Promise<number> {
  const service = await startService(0);
  const journalDir = await mkdtemp(join(tmpdir(), "proxyrental-bench-journal-"));
  const client = openClient(service.env);
  try {
    const baseUrl = service.env.PROXYRENTAL_BASE_URL ?? "";
    const environment = { ...service.env, PROXYRENTAL_LOOK_BACK_MINUTES: "0" };
    const parts = openFileJournal({ journalDir, baseUrl, project: journalDir }, machineTime);
    const account = openAccount({
      service: client,
      clock: machineTime,
      log: {
        info: () => undefined,
        progress: () => undefined,
        remark: () => undefined,
        warn: console.error,
      },
      journal: { ...parts, store: choose(parts.store) },
      settings: readSettings({ config: () => undefined, environment }),
    });
    const orders = createOrderLifecycle(account);
    const checked: CheckedOrder[] = [];
    for (let planned = 0; planned < count; planned++) {
      const given = { known: { ...request }, unknown: new Set<string>() };
      const plan = await orders.check(`bench::order-${planned}`, undefined, given);
      // All arguments are known and no check fails, so the checked order is complete.
      checked.push(plan.checked as CheckedOrder);
    }
    const begunAtMs = performance.now();
    for (const inputs of checked) await orders.create(inputs);
    return (performance.now() - begunAtMs) / count;
  } finally {
    await client.close();
    await service.stop();
    await rm(journalDir, { recursive: true, force: true });
  }
}

/** A journal that stores nothing, for comparison: it costs no time. */
function forgetful(): JournalStore {
  const open = new Map<string, Intent>();
  return {
    readAll: async () => [...open.values()],
    readInTurn: async () => [...open.values()],
    nextSequence: async () => open.size + 1,
    create: async (intent) => {
      if (open.has(intent.id)) return false;
      open.set(intent.id, intent);
      return true;
    },
    replace: async (next) => void open.set(next.id, next),
    remove: async ({ id }) => void open.delete(id),
    putAway: async () => undefined,
    movedTo: async () => undefined,
    reopen: async () => undefined,
  };
}

function openClient(env: Record<string, string>) {
  const { PROXYRENTAL_BASE_URL: baseUrl = "", PROXYRENTAL_API_KEY: apiKey = "" } = env;
  return createClient({ baseUrl, apiKey });
}
