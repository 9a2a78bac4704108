import type { Program, Scale } from "./project.ts";

/** Resources that do nothing. They show what the engine alone costs. */
export function describeFloor({ orders }: Scale): Program {
  return { text: declareNothing(orders, [], "inputs"), files: {} };
}

/** Resources that do nothing, but have the properties of an order, about as much state, and the same secrets. */
export function describeFloorWithState({ orders, ips }: Scale): Program {
  const outputs = describeOutputs(ips);
  // The outputs come from a file: text in the program would be stored with the serialised provider.
  const read = `{ ...inputs, ...JSON.parse((await import("node:fs")).readFileSync("outputs.json", "utf8")) }`;
  return {
    text: declareNothing(orders, Object.keys(outputs), read),
    files: { "outputs.json": JSON.stringify(outputs) },
  };
}

function declareNothing(count: number, outputs: readonly string[], created: string): string {
  const declared = outputs.map((name) => `${name}: undefined, `).join("");
  return `import * as pulumi from "@pulumi/pulumi";

const nothing = {
  async diff() { return { changes: false }; },
  async create(inputs) { return { id: "nothing", outs: ${created} }; },
};

const opts = { additionalSecretOutputs: ["credentials", "urls"] };

class Nothing extends pulumi.dynamic.Resource {
  constructor(name, props) { super(nothing, name, props, opts, "bench", "Nothing"); }
}

for (let i = 0; i < ${count}; i++) {
  new Nothing("nothing-" + i, { ${declared}proxyType: "IPv4", country: "USA", quantity: 10, rentPeriodDays: 30, goal: "measuring" });
}
`;
}

function describeOutputs(ips: number): Record<string, unknown> {
  const proxy = {
    ipAddressIp: "192.0.2.100",
    orderId: "1000000",
    country: "USA",
    dateStart: "2026-01-01T00:00:00.000+00:00",
    dateEnd: "2026-01-31T00:00:00.000+00:00",
    httpsPort: "50000",
    socks5Port: "50001",
    extendInfo: { autoExtend: false, extendDays: 0 },
  };
  const credential = { login: "user00000000", password: "password0000" };
  const ids = Array.from({ length: ips }, (_, i) => String(10_000_000 + i));
  const quote = { effect: "buy", quantity: ips, price: 14, currency: "USD", discount: 0 };
  const orderNumber = "1000000";
  const { effect: _bought, ...paid } = quote;
  const requestId = "0123456789abcdef0123456789abcdef";
  return {
    ...{ orderNumber, orderIds: [orderNumber], released: [], status: "active", authType: "LOGIN" },
    ...{ expiresAt: proxy.dateEnd, quote: { ...quote, balance: 1000 } },
    purchases: [{ requestId, orderNumber, orderIds: [orderNumber], ...paid, at: proxy.dateStart }],
    proxies: ids.map((ipAddressId) => ({ ipAddressId, ...proxy })),
    ipAddressIds: ids,
    credentials: Object.fromEntries(ids.map((id) => [id, credential])),
    urls: ids.map(() => "http://user00000000:password0000@192.0.2.100:50000"),
  };
}
