import { createService } from "../service.ts";
import { resolveSettings } from "../settings.ts";
import { createApp } from "./app.ts";

/**
 * The endpoints as an OpenAPI 3.1 document, made from their routes. It describes what the simulator accepts and
 * answers: the service's own document shows examples, and no schema.
 */
export function openApiDocument(baseUrl = "http://127.0.0.1:8080"): object {
  const app = createApp(createService(resolveSettings({})));
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Proxy Rental Service, as the simulator plays it",
      version: "1",
      description:
        "HTTP 200 with `success: false` and `error` for every refusal. Codes above 9000 are the simulator's own.",
    },
    servers: [{ url: baseUrl }],
  });
}
