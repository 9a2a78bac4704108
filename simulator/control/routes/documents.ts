import type { Hono } from "hono";
import { openApiDocument } from "../../api/openapi.ts";
import type { Service } from "../../service.ts";

export function addDocumentRoutes(app: Hono, { settings }: Service, baseUrl: string): void {
  app.get("/openapi.json", (c) => c.json(openApiDocument(baseUrl)));

  /** Its settings: every option, without keys and large values. */
  app.get("/settings", (c) => {
    const { apiKey: _, now: __, catalogue: ___, ...rest } = settings;
    return c.json({ baseUrl, ...rest, balance: settings.balance.toFixed(2) });
  });
}
