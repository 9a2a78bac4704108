import type { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import type { Service } from "../../service.ts";

const lookEveryMs = 100;
/** What only time changes, for instance a delivery, may be seen this late. */
const tellAtLeastEveryMs = 2000;

/** Server-sent events: "change" when something has happened since the last one, and at least every two seconds. */
export function addEventRoutes(app: Hono, { changes, stopping }: Service): void {
  app.get("/events", (c) =>
    streamSSE(c, async (stream) => {
      let told = -1;
      let silentMs = 0;
      while (!stream.aborted && !stopping.signal.aborted) {
        if (changes.count !== told || silentMs >= tellAtLeastEveryMs) {
          told = changes.count;
          silentMs = 0;
          await stream.writeSSE({ event: "change", data: String(told) });
        }
        await stream.sleep(lookEveryMs);
        silentMs += lookEveryMs;
      }
    }),
  );
}
