import { z } from "zod";
import type { ProxyFault } from "./proxy-fault.ts";

/** The longest wait that Node's timers know. */
const longestWaitMs = 2 ** 31 - 1;

/** Reads a fault that came from outside. */
export const proxyFaultSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("dead") }),
  z.strictObject({ kind: z.literal("slow"), ms: z.int().min(0).max(longestWaitMs) }),
  z.strictObject({ kind: z.literal("refuseLogin") }),
  z.strictObject({
    kind: z.literal("wrongExit"),
    address: z.union([z.ipv4(), z.ipv6()]).optional(),
  }),
]) satisfies z.ZodType<ProxyFault>;

/** Throws a TypeError that names what is wrong and what is accepted. */
export function checkProxyFault(fault: unknown): ProxyFault {
  const { data, error, success } = proxyFaultSchema.safeParse(fault);
  if (!success) throw new TypeError(`The fault of a proxy is wrong: ${z.prettifyError(error)}`);
  return data;
}
