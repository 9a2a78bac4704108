import { setTimeout as wait } from "node:timers/promises";
import { HTTPException } from "hono/http-exception";
import type { Account } from "../account/account.ts";
import { placeForeignOrder } from "../account/foreign-order.ts";
import type { Call } from "../api/call.ts";
import { isMoved } from "../api/moved-path.ts";
import { Rejection } from "../api/rejection.ts";
import type { Service } from "../service.ts";
import type { LateCommitFault, PassingFault } from "./fault.ts";
import type { MetFault } from "./fault-book.ts";
import { patchAnswer } from "./patched-answer.ts";
import { replaceAnswer, spoilAnswer } from "./spoiled-answer.ts";

/** Carries a call out, with the faults that it meets. */
export async function carryOutAmidFaults(
  call: Call,
  service: Service,
  met: readonly MetFault[],
  carryOut: () => Promise<void>,
): Promise<void> {
  const inPhase = (phase: "before" | "after") => met.filter((one) => one.phase === phase);
  if (await strike(call, service, inPhase("before"), "not carried out")) return;
  const isLate = putOff(call, met);
  await carryOut();
  const state = isLate ? "not carried out" : "carried out";
  const isSpoiled = await strike(call, service, inPhase("after"), state);
  if (isLate && !isSpoiled) await spoilAnswer(call, service, { kind: "reset" }, state);
}

/** True if the caller got something else than the answer. */
async function strike(
  call: Call,
  service: Service,
  met: readonly MetFault[],
  state: "carried out" | "not carried out",
): Promise<boolean> {
  for (const { fault, count } of met) {
    switch (fault.kind) {
      case "lateCommit":
        break;
      case "delay":
      case "act":
      case "foreignOrder":
      case "answer":
      case "closeConnectionAfter":
      case "date":
        count();
        await pass(call, service, fault);
        break;
      default:
        // A caller that follows a redirect must arrive.
        if (fault.kind === "redirect" && isMoved(call.req.url)) break;
        count();
        await spoilAnswer(call, service, fault, state);
        return true;
    }
  }
  return false;
}

async function pass(call: Call, service: Service, fault: PassingFault): Promise<void> {
  switch (fault.kind) {
    case "delay":
      await wait(fault.ms, undefined, { signal: service.stopping.signal });
      return;
    case "act":
      await fault.run();
      return;
    case "foreignOrder":
      placeForeignOrder(call.get("account"), fault.item);
      return;
    case "answer": {
      const answer = (await call.res.json()) as Readonly<Record<string, unknown>>;
      const patched = patchAnswer(answer, fault.patch);
      call.get("request").answered = JSON.stringify(patched);
      replaceAnswer(call, Response.json(patched, { status: call.res.status }));
      return;
    }
    case "closeConnectionAfter": {
      // When the answer was sent, node has already taken the socket away.
      const { socket } = call.env.incoming;
      call.env.outgoing.once("finish", () => socket.end());
      return;
    }
    case "date":
      call.set("dateAheadMs", fault.aheadMs);
      return;
  }
}

/** The first of several counts, so that nothing is carried out twice. */
function putOff(call: Call, met: readonly MetFault[]): boolean {
  for (const { fault, count } of met) {
    if (fault.kind !== "lateCommit") continue;
    count();
    call.set("commit", commitLater(call.get("account"), fault));
    return true;
  }
  return false;
}

function commitLater(account: Account, { afterMs }: LateCommitFault): <T>(work: () => T) => T {
  return (work) => {
    account.schedule.putOff(afterMs, () => {
      try {
        work();
      } catch (error) {
        // By then it may be refused, for instance for lack of money. Nobody can be told.
        if (!(error instanceof Rejection)) throw error;
      }
    });
    throw new HTTPException(504, { message: "Not carried out yet" });
  };
}
