import type { Program, Scale } from "./project.ts";

/** Resources that do nothing. They show what the engine alone costs. */
export function describeFloor({ orders }: Scale): Program {
  return { text: declareNothing(orders, [], "inputs"), files: {} };
}

/** Resources that do nothing, but keep about as much state as an order, with the same secrets. */
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
  async check(olds, news) { return { inputs: news }; },
  async diff(id, olds, news) { return { changes: false }; },
  async create(inputs) { return { id: "nothing", outs: ${created} }; },
  async read(id, props) { return { id, props }; },
  async update(id, olds, news) { return { outs: news }; },
  async delete(id, props) {},
};

const opts = { additionalSecretOutputs: ["credentials", "urls"] };

class Nothing extends pulumi.dynamic.Resource {
  constructor(name, props) { super(nothing, name, props, opts, "bench", "Nothing"); }
}

for (let i = 0; i < ${count}; i++) {
  new Nothing("nothing-" + i, { ${declared}country: "USA", quantity: 1, goal: "measuring" });
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
  return {
    proxies: ids.map((ipAddressId) => ({ ipAddressId, ...proxy })),
    ipAddressIds: ids,
    credentials: Object.fromEntries(ids.map((id) => [id, credential])),
    urls: ids.map(() => "http://user00000000:password0000@192.0.2.100:50000"),
  };
}
