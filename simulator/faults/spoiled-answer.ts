import { setTimeout as wait } from "node:timers/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Call } from "../api/call.ts";
import { moveUrl } from "../api/moved-path.ts";
import { documentedError } from "../api/rejection.ts";
import type { Service } from "../service.ts";
import type { SpoilingFault } from "./fault.ts";

/** Gives the caller something in place of the answer. */
export async function spoilAnswer(
  call: Call,
  service: Service,
  fault: SpoilingFault,
  state: "carried out" | "not carried out",
): Promise<void> {
  switch (fault.kind) {
    case "reset":
      call.env.incoming.socket.resetAndDestroy();
      return replaceAnswer(call, nothingToSend());
    case "hang":
      // Nothing is sent.
      return replaceAnswer(call, nothingToSend());
    case "drip":
      await dripAnswer(call, service, fault.everyMs ?? 1000);
      return replaceAnswer(call, nothingToSend());
    case "truncate": {
      const text = state === "carried out" ? await call.res.text() : writeEmptyAnswer(call);
      return replaceAnswer(call, write("application/json", text.slice(0, text.length / 2)));
    }
    case "garbage":
      return replaceAnswer(call, write("text/html", page));
    case "status":
      return replaceAnswer(call, writeStatus(fault));
    case "redirect": {
      const headers = { Location: moveUrl(call.req.url) };
      return replaceAnswer(call, new Response(null, { status: 307, headers }));
    }
    case "refuse":
      return replaceAnswer(
        call,
        Response.json(call.get("emptyAnswer")(documentedError(fault.code))),
      );
  }
}

/**
 * Tells the listener that nothing remains to be sent. Another server of the process may have put a quicker class in the place
 * of `Response`, which is sent without a look at its headers. A clone is never of that class.
 */
function nothingToSend(): Response {
  return RESPONSE_ALREADY_SENT.clone();
}

/** Without the first line, Hono keeps the headers of the replaced answer. */
export function replaceAnswer(call: Call, answer: Response): void {
  call.res = undefined;
  call.res = answer;
}

const page = "<!doctype html><title>Sorry</title><p>Down for maintenance</p>";

function write(type: string, text: string, status = 200): Response {
  return new Response(text, { status, headers: { "Content-Type": type } });
}

function writeStatus(fault: Extract<SpoilingFault, { kind: "status" }>): Response {
  const { status, retryAfterSeconds } = fault;
  const answer = write("text/plain; charset=UTF-8", `Simulated status ${status}`, status);
  if (retryAfterSeconds !== undefined) {
    answer.headers.set("Retry-After", String(retryAfterSeconds));
  }
  return answer;
}

/** The answer to cut in half if there is none. */
function writeEmptyAnswer(call: Call): string {
  return JSON.stringify(call.get("emptyAnswer")({ code: 0, message: "" }));
}

async function dripAnswer(call: Call, service: Service, everyMs: number): Promise<void> {
  const { outgoing } = call.env;
  const { signal } = service.stopping;
  const body = new Uint8Array(await call.res.arrayBuffer());
  outgoing.writeHead(call.res.status, {
    "Content-Type": call.res.headers.get("Content-Type") ?? "application/json",
    "Content-Length": body.byteLength,
    Date: service.clock.now().toUTCString(),
  });
  for (const [index, byte] of body.entries()) {
    // A stop closes the connection in any case.
    if (index > 0) await wait(everyMs, undefined, { signal }).catch(() => undefined);
    if (outgoing.destroyed || signal.aborted) return;
    outgoing.write(Uint8Array.of(byte));
  }
  outgoing.end();
}
