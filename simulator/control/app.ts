import { Hono, type MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { limitBody } from "../http/body-limit.ts";
import type { Service } from "../service.ts";
import { UnsettledError } from "../snapshot.ts";
import { refuseStrangers } from "./origin.ts";
import { addAccountRoutes } from "./routes/accounts.ts";
import { addClockRoutes } from "./routes/clock.ts";
import { addDocumentRoutes } from "./routes/documents.ts";
import { addEventRoutes } from "./routes/events.ts";
import { addFaultRoutes } from "./routes/faults.ts";
import { addInvariantRoutes } from "./routes/invariants.ts";
import { addPageRoutes } from "./routes/page.ts";
import { addRequestRoutes } from "./routes/requests.ts";
import { addSnapshotRoutes } from "./routes/snapshot.ts";

/** A snapshot of 100,000 proxies has about 40 MB. */
const maximumBodyBytes = 256 * 1024 * 1024;

/**
 * The control API, by which a test or a person changes the simulated service from within. It is no part of the
 * service, so it has a port of its own. What can't be done gets a 4xx with `{message}`.
 */
export function createControlApp(service: Service, baseUrl: string): Hono {
  const app = new Hono();
  app.use(
    refuseStrangers(service.settings.control?.host ?? ""),
    limitBody(maximumBodyBytes),
    noteChanges(service),
  );
  addClockRoutes(app, service);
  addFaultRoutes(app, service);
  addAccountRoutes(app, service, baseUrl);
  addRequestRoutes(app, service);
  addInvariantRoutes(app, service);
  addSnapshotRoutes(app, service);
  addDocumentRoutes(app, service, baseUrl);
  addEventRoutes(app, service);
  addPageRoutes(app);
  refuseOtherMethods(app);
  app.notFound((c) => c.json({ message: `The control API has no ${c.req.path}` }, 404));
  app.onError((error, c) => {
    if (error instanceof HTTPException) return c.json({ message: error.message }, error.status);
    if (error instanceof UnsettledError) return c.json({ message: error.message }, 409);
    // The messages for wrong requests are those that the simulator gives to programs.
    const isAskedWrongly = error instanceof TypeError || error instanceof RangeError;
    return c.json({ message: error.message }, isAskedWrongly ? 400 : 500);
  });
  return app;
}

function noteChanges({ changes }: Service): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (c.req.method !== "GET") changes.count += 1;
  };
}

function refuseOtherMethods(app: Hono): void {
  const byPath = Map.groupBy(
    app.routes.filter(({ method }) => method !== "ALL"),
    ({ path }) => path,
  );
  for (const [path, routes] of byPath) {
    const methods = routes.map(({ method }) => method).join(", ");
    app.all(path, (c) => c.json({ message: `Only ${methods} here` }, 405, { Allow: methods }));
  }
}
