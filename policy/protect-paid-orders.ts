import { z } from "zod";
import { kindOf } from "./resource-kind.ts";
import { definePolicy } from "./spend-policy.ts";

/**
 * Asks for `protect: true` on each order, so that no destroy gives up what stays paid. Disabled unless you give a
 * level: many stacks are made to be destroyed.
 */
export const protectPaidOrders = definePolicy({
  name: "protect-paid-orders",
  description: "What is paid is protected from being destroyed.",
  level: "disabled",
  config: z.strictObject({}),
  judge({ type, opts }) {
    if (kindOf(type) !== "ProxyOrder" || opts.protect) return undefined;
    return "it is paid, or will be, and not protected. Add the resource option protect: true, or exempt it from protect-paid-orders.";
  },
});
