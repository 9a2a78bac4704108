import { z } from "zod";
import { readRecorded } from "../recorded.ts";
import { autoExtensionArgsSchema } from "./args.ts";

/** Goes up when the recorded state changes its meaning; every release reads all earlier versions. */
const STATE_VERSION = 1;

/** What the next automatic extensions will cost; counted in run-rates, never in what a run spends. */
export const autoExtensionQuoteSchema = z.object({
  effect: z.enum(["autoExtend", "none"]),
  /** Price of one extension of all proxies together, in `currency`. */
  pricePerCycle: z.number().optional(),
  currency: z.string().optional(),
});

const checkedAutoExtensionSchema = autoExtensionArgsSchema.extend({
  owner: z.string(),
  quote: autoExtensionQuoteSchema,
});

/** A proxy as it was last seen. Its ip and port find it again if the service gives it another id. */
const extendedProxySchema = z.object({
  ipAddressId: z.string(),
  ipAddressIp: z.string(),
  httpsPort: z.string().optional(),
  autoExtend: z.boolean(),
  extendDays: z.number(),
});

const autoExtensionStateSchema = checkedAutoExtensionSchema.extend({
  /** What the program asked for last; a refresh lets the arguments themselves follow the service. */
  declared: z.object({ autoExtend: z.boolean(), rentPeriodDays: z.number() }).optional(),
  proxies: z.array(extendedProxySchema),
  stateVersion: z.literal(STATE_VERSION),
});

/** See `autoExtensionQuoteSchema`. */
export type AutoExtensionQuote = z.infer<typeof autoExtensionQuoteSchema>;

/** Arguments with what the provider adds to them at check. */
export type CheckedAutoExtension = z.infer<typeof checkedAutoExtensionSchema>;

/** A proxy as it was last seen. */
export type ExtendedProxy = z.infer<typeof extendedProxySchema>;

/** What is recorded of an auto-extension. */
export type AutoExtensionState = z.infer<typeof autoExtensionStateSchema>;

/** Reads what the engine kept of an earlier check. */
export function readCheckedAutoExtension(inputs: unknown): CheckedAutoExtension {
  return readRecorded(checkedAutoExtensionSchema, inputs, "inputs of this IpAutoExtend");
}

/** Reads what the engine kept of an auto-extension. */
export function readAutoExtensionState(outputs: unknown): AutoExtensionState {
  return readRecorded(autoExtensionStateSchema, outputs, "outputs of this IpAutoExtend");
}

/** What is recorded once the flags are as wanted. */
export function recordAutoExtension(
  checked: CheckedAutoExtension,
  proxies: ExtendedProxy[],
): AutoExtensionState {
  const { autoExtend, rentPeriodDays } = checked;
  const declared = { autoExtend, rentPeriodDays };
  return { ...checked, declared, proxies, stateVersion: STATE_VERSION };
}
