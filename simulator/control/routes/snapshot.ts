import type { Hono } from "hono";
import { z } from "zod";
import { resetService, type Service } from "../../service.ts";
import { loadSnapshot, saveSnapshot } from "../../snapshot.ts";
import { readJson } from "../reading.ts";

export function addSnapshotRoutes(app: Hono, service: Service): void {
  app.get("/snapshot", (c) => c.json(saveSnapshot(service)));

  app.put("/snapshot", async (c) => {
    loadSnapshot(service, await readJson(c, z.unknown()));
    return c.body(null, 204);
  });

  app.post("/reset", (c) => {
    resetService(service);
    return c.body(null, 204);
  });
}
