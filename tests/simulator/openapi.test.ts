import { expect, test } from "vitest";
import { createApp } from "../../simulator/api/app.ts";
import { endpointNames } from "../../simulator/api/endpoint-name.ts";
import { createService } from "../../simulator/service.ts";
import { resolveSettings } from "../../simulator/settings.ts";

test("the routes describe themselves: twelve endpoints, two of them under a second path", () => {
  const app = createApp(createService(resolveSettings({})));
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Proxy rental simulator", version: "1" },
  });
  const operations = Object.values(document.paths ?? {}).flatMap((path) =>
    [path.get, path.post].flatMap((operation) => operation?.operationId ?? []),
  );
  const underUsers = ["listIspCountries", "listIspRentPeriods"];
  expect(operations.toSorted()).toEqual([...endpointNames, ...underUsers].toSorted());
});
