import * as pulumi from "@pulumi/pulumi";
import { type ProxyType, proxyTypes } from "../../provider/client/records.ts";
import type { Account } from "../../provider/core/account.ts";
import type { InputFailure } from "../../provider/core/inputs.ts";
import { assertKeyIsSecret } from "../key.ts";
import { ProgramError } from "../program-error.ts";

/**
 * Asks the stack's account; spends nothing. What that takes is loaded here and not before: a program that
 * only declares resources needs neither HTTP nor schemas, and starts without them.
 */
export async function ask<Result>(
  question: (account: Account) => Promise<Result>,
): Promise<Result> {
  assertKeyIsSecret();
  const { answer } = await import("../../provider/host/program.ts");
  const source = {
    config: (key: string) => pulumi.runtime.getConfig(`proxyrental:${key}`),
    environment: process.env,
  };
  const reply = await answer(source, question);
  if ("refusal" in reply) throw new ProgramError(reply.refusal.code, reply.refusal.message);
  return reply.result;
}

/** What a function says of arguments that don't fit, all at once. */
export function refuseInputs(
  functionName: string,
  failures: readonly InputFailure[],
): ProgramError {
  const problems = failures.map(({ property, reason }) => `${property} ${reason}`).join("; ");
  return new ProgramError("INPUT_INVALID", `INPUT_INVALID: ${functionName}: ${problems}`);
}

/** Refuses a proxy type that the service does not know, before it is asked. */
export function assertProxyType(functionName: string, proxyType: ProxyType): void {
  if (proxyTypes.includes(proxyType)) return;
  const reason = `must be one of ${proxyTypes.join(", ")}, not ${JSON.stringify(proxyType)}`;
  throw refuseInputs(functionName, [{ property: "proxyType", reason }]);
}
