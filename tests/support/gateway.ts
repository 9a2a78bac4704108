import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** Paths below `/client/api/v1/{apiKey}/`, as the service's document has them. */
export type EndpointPath =
  | "balance"
  | "proxyType"
  | "country"
  | "rentPeriod"
  | "promoCode"
  | "mobileOperator"
  | "calculate/order"
  | "order"
  | "calculate/extend"
  | "extend"
  | "extend/auto"
  | "ipAddress";

/** What the caller gets instead of the service's answer. */
export type Fault = "status 500" | "html" | "truncated" | "hang" | "reset";

export interface Trouble {
  readonly fault: Fault;
  /** `before`: the service never hears of the call. `after`: it has done what it was asked to do. */
  readonly when: "before" | "after";
  /** Which calls of that endpoint, counted from 1 since the trouble was made. @default all */
  readonly calls?: readonly number[];
}

export interface GatewayCall {
  readonly path: string;
  readonly beganMs: number;
  endedMs: number | undefined;
}

/** A real HTTP server between the provider and the simulator, where things go wrong on request. */
export interface Gateway {
  readonly baseUrl: string;
  /** Every call since the start, in order of arrival. */
  readonly calls: readonly GatewayCall[];
  trouble(path: EndpointPath, trouble: Trouble): void;
  /** All is well again. */
  clear(): void;
  /** Does something right before the nth call of an endpoint, counted from now, is passed on. */
  onCall(path: EndpointPath, nth: number, act: () => void): void;
  /** After the nth answer of that endpoint nobody listens any more: connections are refused. */
  closeAfter(path: EndpointPath, nth: number): void;
  countCalls(path: EndpointPath): number;
  /** How many calls of an endpoint were under way at the same time, at most. */
  mostInFlight(path: EndpointPath): number;
}

/** Starts a gateway that ends with the test. */
export async function startGateway(serviceUrl: string): Promise<Gateway> {
  const calls: GatewayCall[] = [];
  const troubles = new Map<string, { trouble: Trouble; seen: number }>();
  const acts = new Map<string, { nth: number; act: () => void; seen: number }>();
  let closing: { path: string; callsLeft: number } | undefined;

  const server = createServer((request, response) => {
    const path = pathOf(request);
    const call: GatewayCall = { path, beganMs: performance.now(), endedMs: undefined };
    calls.push(call);
    response.once("close", () => {
      call.endedMs = performance.now();
    });
    if (path === closing?.path) closing.callsLeft -= 1;
    // Before it is answered: the caller may connect anew the moment it has the answer.
    if (closing?.callsLeft === 0) server.close();
    actOn(path);
    answer(serviceUrl, request, response, takeTrouble(path)).catch(() => response.destroy());
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });

  function actOn(path: string): void {
    const planned = acts.get(path);
    if (planned === undefined) return;
    planned.seen += 1;
    if (planned.seen === planned.nth) planned.act();
  }

  function takeTrouble(path: string): Trouble | undefined {
    const made = troubles.get(path);
    if (made === undefined) return undefined;
    made.seen += 1;
    const { calls: wanted } = made.trouble;
    return wanted === undefined || wanted.includes(made.seen) ? made.trouble : undefined;
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the gateway has no port");
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    calls,
    trouble: (path, trouble) => void troubles.set(path, { trouble, seen: 0 }),
    clear: () => troubles.clear(),
    onCall: (path, nth, act) => void acts.set(path, { nth, act, seen: 0 }),
    closeAfter: (path, nth) => {
      closing = { path, callsLeft: nth };
    },
    countCalls: (path) => calls.filter((call) => call.path === path).length,
    mostInFlight: (path) => countMostInFlight(calls.filter((call) => call.path === path)),
  };
}

async function answer(
  serviceUrl: string,
  request: IncomingMessage,
  response: ServerResponse,
  trouble: Trouble | undefined,
): Promise<void> {
  const body = await text(request);
  if (trouble?.when === "before") return fail(response, trouble.fault, "");
  const reply = await forward(serviceUrl, request, body);
  if (trouble) return fail(response, trouble.fault, reply.body);
  const { "content-length": _length, connection: _connection, ...headers } = reply.headers;
  response.writeHead(reply.status, headers).end(reply.body);
}

function fail(response: ServerResponse, fault: Fault, body: string): void {
  switch (fault) {
    case "status 500":
      response.writeHead(500, { "content-type": "text/plain" }).end("Internal Server Error");
      return;
    case "html":
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<!doctype html><title>Sorry</title>");
      return;
    case "truncated":
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(body.slice(0, body.length / 2));
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "hang":
      return;
  }
}

async function forward(serviceUrl: string, from: IncomingMessage, body: string) {
  const { host: _host, connection: _connection, ...headers } = from.headers;
  const to = openRequest(new URL(from.url ?? "/", serviceUrl), {
    method: from.method ?? "GET",
    headers,
    agent: false,
  });
  to.end(body);
  const [reply] = (await once(to, "response")) as [IncomingMessage];
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: await text(reply) };
}

function pathOf({ url = "" }: IncomingMessage): string {
  return url.replace(/^.*\/client\/api\/v1\/[^/]+\//, "").replace(/\?.*$/, "");
}

function countMostInFlight(calls: readonly GatewayCall[]): number {
  const inFlightAt = (ms: number) =>
    calls.filter((call) => call.beganMs <= ms && (call.endedMs ?? Number.POSITIVE_INFINITY) > ms);
  return Math.max(0, ...calls.map((call) => inFlightAt(call.beganMs).length));
}
