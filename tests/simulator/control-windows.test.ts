import { expect, test } from "vitest";
import { get, orders, post, send } from "./caller.ts";
import { startForTest } from "./start.ts";

async function ask<Answer>(controlUrl: string | undefined, path: string): Promise<Answer> {
  const response = await fetch(`${controlUrl}${path}`);
  return (await response.json()) as Answer;
}

interface Requests {
  requests: { number: number }[];
}

test("requests can be read by their numbers, and forgotten ones are left out", async () => {
  const simulator = await startForTest({ control: true });
  for (let call = 0; call < 5; call += 1) await get(simulator, "balance");
  const numbersOf = async (query: string) => {
    const { requests } = await ask<Requests>(simulator.controlUrl, `/requests${query}`);
    return requests.map(({ number }) => number);
  };
  expect(await numbersOf("?numbers=2,4")).toEqual([2, 4]);
  expect(await numbersOf("?numbers=2,4&after=2")).toEqual([4]);
  expect(await numbersOf("?numbers=9")).toEqual([]);
  expect(await ask(simulator.controlUrl, "/requests?numbers=2;4")).toMatchObject({
    message: expect.stringContaining("numbers are expected, separated by commas"),
  });
});

test("requests can be read by their account, with those that are nobody's", async () => {
  const simulator = await startForTest({ control: true });
  const staging = simulator.openAccount({ name: "staging" });
  const path = "/client/api/v1/{apiKey}/balance";
  await get(simulator, "proxyType");
  await send(simulator, { method: "GET", path }, staging.apiKey);
  await send(simulator, { method: "GET", path }, "nobody's");
  const read = (query: string) =>
    ask<Requests & { total: number; first: number }>(simulator.controlUrl, `/requests${query}`);
  const numbers = [{ number: 2 }, { number: 3 }];
  expect(await read("?account=staging")).toMatchObject({ total: 2, first: 1, requests: numbers });
  expect(await read("?account=staging&after=2")).toMatchObject({
    total: 2,
    requests: [{ number: 3 }],
  });
  expect(await read("")).toMatchObject({ total: 3, first: 1 });
  simulator.resetRequestCounts();
  expect(await read("")).toMatchObject({ total: 0, first: 4, requests: [] });
});

test("the latest orders of an account can be read, with the number of all", async () => {
  const simulator = await startForTest({ control: true });
  const numbers: string[] = [];
  for (let order = 0; order < 3; order += 1) {
    numbers.push((await post(simulator, "order", orders.IPv4)).orderNumber);
  }
  const ordersOf = (query: string) =>
    ask<{ total: number; orders: object[] }>(simulator.controlUrl, `/accounts/main/orders${query}`);
  const latest = numbers.slice(1).map((orderNumber) => ({ orderNumber }));
  expect(await ordersOf("?latest=2")).toMatchObject({ total: 3, orders: latest });
  expect((await ordersOf("")).orders).toHaveLength(3);
});
