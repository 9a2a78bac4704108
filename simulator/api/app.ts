import { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { limitBody } from "../http/body-limit.ts";
import { refuseEncodedBody } from "../http/encoded-body.ts";
import type { Service } from "../service.ts";
import type { ApiEnv } from "./call.ts";
import { answer } from "./call.ts";
import { stripMoved } from "./moved-path.ts";
import { recordRequests } from "./recording.ts";
import { Rejection, rejectShape } from "./rejection.ts";
import { addAccountRoutes } from "./routes/account.ts";
import { addCatalogueRoutes } from "./routes/catalogue.ts";
import { addExtensionRoutes } from "./routes/extensions.ts";
import { addOrderRoutes } from "./routes/orders.ts";
import { addProxyRoutes } from "./routes/proxies.ts";

const maximumBodyBytes = 1024 * 1024;

/**
 * The endpoints. A request that is none of the service's (unknown path, wrong method, no JSON) gets a 4xx with a
 * plain `{message}`.
 */
export function createApp(service: Service): OpenAPIHono<ApiEnv> {
  const app = new OpenAPIHono<ApiEnv>({
    getPath: stripMoved,
    defaultHook: (result) => {
      if (!result.success) throw rejectShape(result.error.issues);
    },
  });
  const pathWords = new Set<string>();
  app.use(recordRequests(service, pathWords), completeHeaders(service), refuseEncodedBody);
  app.use(
    limitBody<ApiEnv>(maximumBodyBytes, (c, body) => {
      c.get("request").sent = body;
    }),
  );
  addAccountRoutes(app, service);
  addCatalogueRoutes(app, service);
  addOrderRoutes(app, service);
  addExtensionRoutes(app, service);
  addProxyRoutes(app, service);
  for (const { path } of app.routes) for (const word of path.split("/")) pathWords.add(word);
  refuseOtherMethods(app);
  app.notFound((c) => c.json({ message: "No such path in the service's document" }, 404));
  app.onError((error, c) => {
    if (error instanceof Rejection) return answer(c, c.get("emptyAnswer")(error.error));
    if (error instanceof HTTPException) return c.json({ message: error.message }, error.status);
    return c.json({ message: `The simulator itself failed: ${error.message}` }, 500);
  });
  return app;
}

function completeHeaders(service: Service): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    await next();
    // Hono's own `header` would make the whole answer anew.
    const { outgoing } = c.env;
    // A fault may have begun to answer by itself.
    if (outgoing.headersSent) return;
    // Node would send the machine's time. Clients use the service's.
    const told = service.clock.now().getTime() + (c.get("dateAheadMs") ?? 0);
    outgoing.setHeader("Date", new Date(told).toUTCString());
    if (service.isRefusing) outgoing.setHeader("Connection", "close");
  };
}

function refuseOtherMethods(app: OpenAPIHono<ApiEnv>): void {
  const endpoints = app.routes.filter(({ method }) => method === "GET" || method === "POST");
  const methodByPath = new Map(endpoints.map(({ path, method }) => [path, method]));
  for (const [path, method] of methodByPath) {
    app.all(path, (c) =>
      c.json({ message: `Only ${method} is served here` }, 405, { Allow: method }),
    );
  }
}
