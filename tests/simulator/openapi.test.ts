import { expect, test } from "vitest";
import { endpointNames } from "../../simulator/api/endpoint-name.ts";
import { openApiDocument } from "../../simulator/index.ts";
import { ask, get, listPage, orders, post } from "./caller.ts";
import { findUndocumentedAnswers } from "./documented-answers.ts";
import { startForTest } from "./start.ts";

interface Operation {
  operationId: string;
  summary: string;
  responses: Record<string, unknown>;
}

const document = openApiDocument() as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

test("the document has each endpoint, two of them also under a second path", () => {
  expect(document.openapi).toBe("3.1.0");
  const underUsers = ["listIspCountries", "listIspRentPeriods"];
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
    [...endpointNames, ...underUsers].toSorted(),
  );
  for (const { summary } of operations) expect(summary).toMatch(/^[A-Z].{15}/);
});

test("an undocumented answer is found", async () => {
  const simulator = await startForTest();
  await post(simulator, "order", orders.IPv4);
  await listPage(simulator, "IPv4");
  expect(findUndocumentedAnswers(simulator)).toEqual([]);
  const requests = simulator.requests();
  const spoil = (answer: object) =>
    findUndocumentedAnswers({
      ...simulator,
      requests: () => requests.map((request) => ({ ...request, answer })),
    });
  expect(spoil({ success: true })).toHaveLength(2);
  expect(spoil({ ...(requests[0]?.answer as object), orderNumber: 7 })[0]).toMatch(/orderNumber/);
});

test("each endpoint's success, refusal and unknown key are as documented", async () => {
  const simulator = await startForTest();
  const balanceCall = { method: "GET", path: "/client/api/v1/{apiKey}/balance" };
  await ask(simulator, balanceCall, "nobody's");
  await get(simulator, "balance");
  await get(simulator, "country", { proxyType: "IPv7" });
  await post(simulator, "calculate/order", { ...orders.IPv4, promoCode: "NONE" });
  await post(simulator, "calculate/order", { ...orders.IPv4, quantity: 10_000 });
  await post(simulator, "order", { ...orders.IPv4, goal: "" });
  await post(simulator, "extend", {});
  expect(simulator.requests()).toHaveLength(7);
  expect(findUndocumentedAnswers(simulator)).toEqual([]);
});

test("the control API serves the same document, with the address of this simulator", async () => {
  const simulator = await startForTest({ control: true });
  const served = await (await fetch(`${simulator.controlUrl}/openapi.json`)).json();
  expect(served).toEqual({ ...document, servers: [{ url: simulator.baseUrl }] });
});
