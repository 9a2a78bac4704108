import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { type Client, type EndpointName, endpoints } from "../../provider/client/index.ts";
import { API_KEY, clientOf, failureOf } from "./client-under-test.ts";
import { type Exchange, exchanges } from "./exchanges.ts";
import { type SeenRequest, serve } from "./fake-service.ts";
import { json, refusal } from "./reactions.ts";

test("every endpoint has documented exchanges", () => {
  const documented = new Set(exchanges.map((exchange) => exchange.endpoint));
  expect([...documented].toSorted()).toEqual(Object.keys(endpoints).toSorted());
});

describe.each(exchanges.filter((exchange) => exchange.response.success))("$name", (exchange) => {
  test("sends the documented request and reads the documented answer", async () => {
    const { client, seen } = await play(exchange);
    const result = await calls[exchange.endpoint](client, exchange);
    expect(result).toEqual(results[exchange.endpoint](exchange.response));
    expect(documentedForm(seen.at(-1))).toEqual(expectedRequest(exchange));
  });
});

describe.each(exchanges.filter((exchange) => !exchange.response.success))("$name", (exchange) => {
  test("is sent as documented and fails with the service's own message", async () => {
    const { client, seen } = await play(exchange);
    const failure = await failureOf(calls[exchange.endpoint](client, exchange));
    const { error } = exchange.response;
    expect(failure).toMatchObject({
      code: error?.code === 2 ? "API_KEY_REJECTED" : "SERVICE_REFUSED",
      outcome: "rejected",
      endpoint: exchange.endpoint,
      serviceCode: error?.code,
    });
    expect(failure.message).toContain(error?.message);
    expect(documentedForm(seen.at(-1))).toEqual(expectedRequest(exchange));
  });
});

/** A service that knows only this exchange. It refuses every other request. */
async function play(exchange: Exchange) {
  const expected = expectedRequest(exchange);
  const { baseUrl, seen } = await serve((request) =>
    isDeepStrictEqual(documentedForm(request), expected)
      ? json(exchange.response)
      : refusal(9006, "not what is documented"),
  );
  return { client: clientOf(baseUrl), seen };
}

function expectedRequest({ request }: Exchange) {
  return {
    method: request.method,
    path: request.path.replace("{apiKey}", encodeURIComponent(API_KEY)),
    query: request.query ?? {},
    body: request.body,
    contentType: "application/json",
  };
}

function documentedForm(request: SeenRequest | undefined) {
  if (request === undefined) return undefined;
  const { connection: _connection, ...documented } = request;
  return documented;
}

/** For each endpoint: calls its method with the arguments of a documented request. */
const calls: Record<EndpointName, (client: Client, exchange: Exchange) => Promise<unknown>> = {
  getBalance: (client) => client.getBalance(),
  listProxyTypes: (client) => client.listProxyTypes(),
  listCountries: (client, { request }) => client.listCountries(request.query?.proxyType as never),
  listRentPeriods: (client, { request }) =>
    client.listRentPeriods(request.query?.proxyType as never),
  listPromoCodes: (client) => client.listPromoCodes(),
  listMobileOperators: (client) => client.listMobileOperators(),
  calculateOrder: (client, { request }) =>
    client.calculateOrder({ ...request.body, authType: "IP", authIp: "192.0.2.1" } as never),
  createOrder: (client, { request }) => client.createOrder(request.body as never),
  calculateExtension: (client, { request }) => {
    const { IpAddressIds, ...rest } = request.body ?? {};
    const ipAddressIds = String(IpAddressIds).split(",");
    return client.calculateExtension({ ...rest, ipAddressIds } as never);
  },
  extend: (client, { request }) => client.extend(request.body as never),
  setAutoExtension: (client, { request }) => client.setAutoExtension(request.body as never),
  listProxies: (client, { request }) => client.listProxies(request.body as never),
};

type Body = Exchange["response"];

const calculation = ({ price, currency, discount, promoCodeStatus, balance, warnings }: Body) => ({
  price,
  currency,
  discount,
  promoCodeStatus,
  balance,
  warnings: warnings ?? [],
});

/** For each endpoint: the result that a documented answer stands for. */
const results: Record<EndpointName, (body: Body) => unknown> = {
  getBalance: ({ balance, currencyCode }) => ({ balance, currency: currencyCode }),
  listProxyTypes: (body) => body.proxyTypes,
  listCountries: (body) => body.countries,
  listRentPeriods: (body) => body.rentPeriodDays,
  listPromoCodes: (body) => body.promoCodes,
  listMobileOperators: (body) => body.mobileOperators,
  calculateOrder: calculation,
  createOrder: ({ orderNumber, promoCodeStatus, balance }) => ({
    orderNumber,
    promoCodeStatus,
    balance,
  }),
  calculateExtension: calculation,
  extend: ({ ipAddressIds, promoCodeStatus, balance }) => ({
    ipAddressIds,
    promoCodeStatus,
    balance,
  }),
  setAutoExtension: ({ rentPeriodDays, quantity, ipAddressIds }) => ({
    rentPeriodDays,
    quantity,
    ipAddressIds,
  }),
  listProxies: ({ data }) => {
    const { content, ...totals } = data as { content: Record<string, unknown>[] };
    return { ...totals, content: content.map(toRecord), answeredAt: expect.any(Date) };
  },
};

function toRecord({ authInfo, comment, ...record }: Record<string, unknown>) {
  return { ...record, comment: comment === "" ? undefined : comment, credential: authInfo };
}
