import * as pulumi from "@pulumi/pulumi";
import type { FunctionName, FunctionResult } from "../../provider/core/functions/functions.ts";
import { assertConfiguration } from "../configuration.ts";
import { ProxyRentalError } from "../errors.ts";

/**
 * Asks the stack's account. Spends nothing. HTTP and schemas are loaded here, and not before: a program that only
 * declares resources does not need them, and starts without them.
 */
export async function ask<Name extends FunctionName>(
  name: Name,
  args: object = {},
): Promise<FunctionResult<Name>> {
  assertConfiguration();
  const { answer } = await import("../../provider/host/program.ts");
  const source = {
    config: (key: string) => pulumi.runtime.getConfig(`proxyrental:${key}`),
    environment: process.env,
  };
  const reply = await answer(source, name, { ...args });
  if ("refusal" in reply) throw new ProxyRentalError(reply.refusal.code, reply.refusal.message);
  return reply.result;
}
