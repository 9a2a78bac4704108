import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { type Dispatcher, fetch, ProxyAgent, Socks5ProxyAgent } from "undici";
import { expect, onTestFinished } from "vitest";
import type { ProxyFormat, ProxyForms } from "../../provider/core/proxies/proxy-format.ts";
import type { ProxyScheme } from "../../provider/core/proxies/proxy-url.ts";
import { formatProxy } from "../../sdk/index.ts";
import type { Simulator, SimulatorOptions } from "../../simulator/index.ts";
import { type Answer, ask, orders } from "./caller.ts";
import { startForTest } from "./start.ts";

export type ListedProxy = Answer["data"]["content"][number];

export const schemes = ["http", "socks5"] as const;

/** The longest time for an event that must come by itself. It is long enough for a busy machine. */
export const soon = { timeout: 10_000 };

/**
 * A seed for tests that run at the same time. With one seed, two tests would use the same ports. Then a test would find
 * the proxy of the other test in the place of its own, or its own proxy at another port.
 */
export const seedOfItsOwn = () => randomInt(2 ** 31);

export function startLive(options: SimulatorOptions = {}): Promise<Simulator> {
  return startForTest({ live: true, seed: seedOfItsOwn(), ...options });
}

/** The only proxy of a simulator. */
export async function rentOne(more: object = {}): Promise<ListedProxy> {
  const [proxy] = await rent(await startLive(), { ...orders.IPv4, quantity: 1, ...more });
  if (proxy === undefined) throw new Error("nothing was delivered");
  return proxy;
}

/** Orders proxies, then lists all proxies of that type. */
export async function rent(
  simulator: Simulator,
  order: { proxyType: string; quantity: number } = orders.IPv4,
  apiKey = simulator.apiKey,
): Promise<ListedProxy[]> {
  const call = { method: "POST", path: "/client/api/v1/{apiKey}/order", body: order };
  const { error } = await ask(simulator, call, apiKey);
  expect(error).toBeNull();
  return list(simulator, order.proxyType, apiKey);
}

export async function list(
  simulator: Simulator,
  proxyType = "IPv4",
  apiKey = simulator.apiKey,
): Promise<ListedProxy[]> {
  const path = "/client/api/v1/{apiKey}/ipAddress";
  const body = { proxyType, page: 0, size: 1000 };
  const call = { method: "POST", path, query: { proxyType }, body };
  return (await ask(simulator, call, apiKey)).data.content;
}

/** A proxy in the form in which the provider gives it to a program. */
export function handOn<Format extends ProxyFormat>(
  proxy: ListedProxy,
  format: Format,
  scheme: ProxyScheme,
): ProxyForms[Format] {
  return formatProxy(proxy, proxy.authInfo, format, scheme);
}

/** Fetches a page as a user of undici would, with undici's own form or with a URL. */
export async function fetchThrough(
  proxy: ProxyAgent.Options | string,
  url: string,
): Promise<string> {
  const dispatcher = makeDispatcher(proxy);
  try {
    return await (await fetch(url, { dispatcher })).text();
  } finally {
    await dispatcher.destroy();
  }
}

function makeDispatcher(proxy: ProxyAgent.Options | string): Dispatcher {
  if (typeof proxy !== "string" || proxy.startsWith("http:")) return new ProxyAgent(proxy);
  // From a socks5 URL, ProxyAgent would send the login as it stands there, percent-encoded.
  return new Socks5ProxyAgent(proxy);
}

/** The parts of a request that a web server saw. */
export interface SeenRequest {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, string[] | undefined>;
  body: string;
}

/** Starts a web server that answers with the request that it saw. Returns its host and port. */
export async function startEcho(host = "127.0.0.1"): Promise<string> {
  const server = createHttpServer(async (request, response) => {
    const { method, url, headersDistinct: headers } = request;
    const seen: SeenRequest = { method, url, headers, body: await text(request) };
    response.writeHead(200, "Seen", [
      ...["Connection", "close, X-Between-Us"],
      ...["X-Between-Us", "1"],
      ...["Proxy-Authenticate", "Basic"],
      ...["Set-Cookie", "a=1"],
      ...["Set-Cookie", "b=2"],
    ]);
    response.end(JSON.stringify(seen));
  });
  const port = await listen(server, host);
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Starts a server for bare connections. It sends nothing by itself. Returns its port and its connections. */
export async function startBare(
  onConnection: (socket: Socket) => unknown = (socket) => void socket.resume(),
  { host = "127.0.0.1", port = 0, allowHalfOpen = false } = {},
): Promise<{ port: number; guests: Set<Socket> }> {
  const guests = new Set<Socket>();
  const server = createServer({ allowHalfOpen }, (socket) => {
    guests.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => guests.delete(socket));
    onConnection(socket);
  });
  return { port: await listen(server, host, port), guests };
}

/** Opens a connection on which a test can send anything. */
export async function dial(port: string | number, allowHalfOpen = false): Promise<Socket> {
  const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen });
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.on("error", () => {});
  return socket;
}

/** Tries to connect: `ECONNREFUSED`, or "open". */
export async function knock(port: string | number): Promise<unknown> {
  return dial(port).then(
    (socket) => {
      socket.destroy();
      return "open";
    },
    (error) => error.code,
  );
}

/** All data until the other side ends. */
export function hear(socket: Socket): Promise<string> {
  return text(socket);
}

export function toBasic({ authInfo }: ListedProxy): string {
  const pair = `${authInfo.login}:${authInfo.password}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/** Opens a tunnel over HTTP. */
export async function openTunnel(
  proxy: ListedProxy,
  targetPort: number,
  allowHalfOpen = false,
): Promise<Socket> {
  const socket = await dial(proxy.httpsPort, allowHalfOpen);
  socket.write(
    `CONNECT 127.0.0.1:${targetPort} HTTP/1.1\r\nProxy-Authorization: ${toBasic(proxy)}\r\n\r\n`,
  );
  const [heard]: Buffer[] = await once(socket, "data");
  socket.pause();
  const answer = "HTTP/1.1 200 Connection established\r\n\r\n";
  expect(String(heard)).toMatch(answer);
  // The first data of the target may have come together with the proxy's answer.
  if (heard !== undefined) socket.unshift(heard.subarray(answer.length));
  return socket;
}

async function listen(server: Server, host: string, port = 0): Promise<number> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  server.listen(port, host);
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}
