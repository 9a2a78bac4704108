import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import { endpointNames } from "../../api/endpoint-name.ts";
import type { FaultRule } from "../../faults/fault.ts";
import type { FaultStanding } from "../../faults/fault-book.ts";
import type { Service } from "../../service.ts";
import { readJson } from "../reading.ts";

/** Checks only that there is a rule. The fault book checks the rest, here and for programs. */
const Rule = z.strictObject({
  endpoint: z.enum([...endpointNames, "any"]),
  calls: z.array(z.int()).optional(),
  probability: z.number().optional(),
  phase: z.enum(["before", "after"]),
  fault: z.looseObject({ kind: z.string() }),
});

export function addFaultRoutes(app: Hono, { faults }: Service): void {
  app.get("/faults", (c) => c.json({ struck: faults.hits(), faults: faults.list().map(view) }));

  app.post("/faults", async (c) => {
    const rule = await readJson(c, Rule);
    const { id } = faults.add(rule as FaultRule);
    return c.json({ id }, 201);
  });

  app.delete("/faults", (c) => {
    faults.clear();
    return c.body(null, 204);
  });

  app.delete("/faults/:id", (c) => {
    const id = c.req.param("id");
    if (!faults.remove(id)) throw new HTTPException(404, { message: `There is no fault "${id}"` });
    return c.body(null, 204);
  });
}

/** A function that a program has added can't be shown. */
function view({ id, rule, hits, usedUp }: FaultStanding) {
  return { id, ...rule, hits, usedUp };
}
