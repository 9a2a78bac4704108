import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import type { Account } from "../../account/account.ts";
import { formatTimestamp, type Order } from "../../account/order.ts";
import { viewSimulatedAccount } from "../../account/simulated-account.ts";
import { viewOrder, viewProxy } from "../../account/views.ts";
import { proxyTypes } from "../../catalogue/catalogue.ts";
import { proxyFaultSchema } from "../../live/proxy-fault-schema.ts";
import type { Service } from "../../service.ts";
import { readJson, readQuery } from "../reading.ts";

const ProxyTypeName = z.enum(proxyTypes);
const Money = z.union([z.string(), z.number()]);
const Ids = z.array(z.string()).min(1);

const NewAccount = z.strictObject({
  name: z.string().optional(),
  apiKey: z.string().optional(),
  balance: Money.optional(),
});
const Balance = z.strictObject({ balance: Money });
const PriceFactor = z.strictObject({ proxyType: ProxyTypeName, factor: z.number().positive() });
const ForeignOrder = z.strictObject({
  proxyType: ProxyTypeName,
  country: z.string().length(3),
  quantity: z.int().min(1).max(10_000),
  rentPeriodDays: z.int().min(1).max(3650),
});
const Named = z.strictObject({ ipAddressIds: Ids });
const AutoExtension = z.strictObject({
  ipAddressIds: Ids,
  autoExtend: z.boolean(),
  rentPeriodDays: z.int().min(1).optional(),
});
const FaultOfProxies = z.strictObject({ ipAddressIds: Ids, fault: proxyFaultSchema.nullable() });
const Latest = z.object({ latest: z.coerce.number().int().min(1).optional() });
const Page = z.object({
  order: z.string().optional(),
  page: z.coerce.number().int().min(0).default(0),
  size: z.coerce.number().int().min(1).max(1000).default(100),
});

export function addAccountRoutes(app: Hono, service: Service, baseUrl: string): void {
  const { accounts } = service;
  const find = (name: string): Account => {
    const account = accounts.findByName(name);
    if (account === undefined) {
      throw new HTTPException(404, { message: `There is no account "${name}"` });
    }
    account.settle();
    return account;
  };
  const moving = (name: string) => viewSimulatedAccount(() => find(name));

  app.get("/accounts", (c) => {
    accounts.settle();
    return c.json({ accounts: accounts.all().map(summarize) });
  });

  app.post("/accounts", async (c) => {
    const account = accounts.open(await readJson(c, NewAccount));
    // Only here a key is told: the person who opens an account needs it.
    return c.json({ apiKey: account.apiKey, ...summarize(account) }, 201);
  });

  app.get("/accounts/:name", (c) => c.json(summarize(find(c.req.param("name")))));

  app.get("/accounts/:name/environment", (c) =>
    c.json({
      PROXYRENTAL_BASE_URL: baseUrl,
      PROXYRENTAL_API_KEY: find(c.req.param("name")).madeKey ?? null,
      PROXYRENTAL_JOURNAL_DIR: service.journalDir,
    }),
  );

  app.get("/accounts/:name/ledger", (c) => c.json(find(c.req.param("name")).ledger.record));

  app.get("/accounts/:name/orders", (c) => {
    const { latest = Infinity } = readQuery(c, Latest);
    const orders = find(c.req.param("name")).orders();
    return c.json({ total: orders.length, orders: orders.slice(-latest).map(summarizeOrder) });
  });

  app.get("/accounts/:name/proxies", (c) => {
    const { order, page, size } = readQuery(c, Page);
    const proxies = find(c.req.param("name"))
      .proxies()
      .filter((proxy) => order === undefined || proxy.order.orderNumber === order);
    const shown = proxies.slice(page * size, (page + 1) * size);
    return c.json({ total: proxies.length, proxies: shown.map(viewWithoutLogin) });
  });

  app.put("/accounts/:name/balance", async (c) => {
    const name = c.req.param("name");
    moving(name).setBalance((await readJson(c, Balance)).balance);
    return c.json(summarize(find(name)));
  });

  app.put("/accounts/:name/price-factor", async (c) => {
    const { proxyType, factor } = await readJson(c, PriceFactor);
    moving(c.req.param("name")).setPriceFactor(proxyType, factor);
    return c.body(null, 204);
  });

  app.post("/accounts/:name/foreign-orders", async (c) => {
    const wanted = await readJson(c, ForeignOrder);
    return c.json(moving(c.req.param("name")).placeForeignOrder(wanted), 201);
  });

  app.post("/accounts/:name/proxies/expire", async (c) => {
    moving(c.req.param("name")).expireProxies((await readJson(c, Named)).ipAddressIds);
    return c.body(null, 204);
  });

  app.post("/accounts/:name/proxies/remove", async (c) => {
    moving(c.req.param("name")).removeProxies((await readJson(c, Named)).ipAddressIds);
    return c.body(null, 204);
  });

  app.post("/accounts/:name/proxies/fault", async (c) => {
    const { ipAddressIds, fault } = await readJson(c, FaultOfProxies);
    moving(c.req.param("name")).setProxyFault(ipAddressIds, fault ?? undefined);
    return c.body(null, 204);
  });

  app.post("/accounts/:name/proxies/auto-extension", async (c) => {
    const { ipAddressIds, autoExtend, rentPeriodDays } = await readJson(c, AutoExtension);
    moving(c.req.param("name")).setAutoExtension(ipAddressIds, autoExtend, rentPeriodDays);
    return c.body(null, 204);
  });
}

function summarize(account: Account) {
  const proxies = account.proxies();
  return {
    name: account.name,
    balance: account.ledger.balance.toFixed(2),
    currency: account.settings.currency,
    charges: account.ledger.entries.length,
    orders: account.orders().length,
    proxies: countStates(proxies),
  };
}

function summarizeOrder(order: Order) {
  const { ipAddressIds: _, ...view } = viewOrder(order);
  const living = order.proxies.filter(({ state }) => state !== "expired");
  const firstEndMs = living.reduce((least, { endMs }) => Math.min(least, endMs), Infinity);
  return {
    ...view,
    proxies: countStates(order.proxies),
    autoExtending: living.filter(({ autoExtend }) => autoExtend).length,
    /** When the first living one ends. */
    endsAt: living.length === 0 ? null : formatTimestamp(firstEndMs),
  };
}

function countStates(proxies: readonly { state: "undelivered" | "listed" | "expired" }[]) {
  const counts = { undelivered: 0, listed: 0, expired: 0 };
  for (const { state } of proxies) counts[state] += 1;
  return counts;
}

/** The control API shows no logins. */
function viewWithoutLogin(proxy: Order["proxies"][number]) {
  const { login: _, password: __, ...rest } = viewProxy(proxy);
  return rest;
}
