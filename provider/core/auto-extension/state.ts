import { z } from "zod";
import { knownOrderSchema, rentedProxySchema } from "../proxies/rented-proxy.ts";
import { type Migration, newestVersion } from "../values/migrate.ts";
import { parseState } from "../values/parse-state.ts";
import { autoExtensionArgsSchema } from "./args.ts";

/** Brings recorded states to the newest form. Every release reads all earlier forms. */
const migration: Migration = { versionIn: "stateVersion", steps: [] };

const STATE_VERSION = newestVersion(migration);

/** What the next automatic extensions will cost. Run-rates count it; what a run spends does not. */
export const autoExtensionQuoteSchema = z
  .object({
    effect: z
      .enum(["autoExtend", "none"])
      .describe("`autoExtend` costs `pricePerCycle` each time; `none` costs nothing."),
    pricePerCycle: z
      .number()
      .optional()
      .describe(
        "One extension of all proxies together, in `currency`, at the price of the day it was asked.",
      ),
    currency: z.string().optional().describe("ISO currency code."),
  })
  .meta({
    id: "AutoExtensionQuote",
    description: "What the next automatic extensions will cost.",
  });

const checkedAutoExtensionSchema = autoExtensionArgsSchema.extend({
  owner: z.string().describe("The organisation and the resource's URN."),
  quote: autoExtensionQuoteSchema.describe("What one extension of all of them costs."),
});

/** A refresh that finds other flags leaves out the quote: it was for those of before. */
const formerAutoExtensionSchema = checkedAutoExtensionSchema.partial({ quote: true });

/** A proxy as it was last seen. Its address and order find it if the service gives it another id. */
const extendedProxySchema = rentedProxySchema
  .pick({ ipAddressId: true, ipAddressIp: true, httpsPort: true })
  .extend({ orderId: knownOrderSchema, ...rentedProxySchema.shape.extendInfo.shape })
  .meta({ id: "ExtendedProxy", description: "A proxy and its flag as they were last seen." });

const autoExtensionStateSchema = checkedAutoExtensionSchema.extend({
  // A refresh lets the arguments themselves follow the service.
  declared: z
    .object({
      autoExtend: z.boolean().describe("Whether the proxies were to be extended."),
      rentPeriodDays: z.number().describe("By how many days each time."),
      quote: autoExtensionQuoteSchema
        .optional()
        .describe("What that costs. Absent until a refresh finds something else."),
    })
    .optional()
    .describe("What the program asked for last."),
  proxies: z.array(extendedProxySchema).describe("Each proxy and its flag."),
  leftOff: z
    .enum(["unconfirmed", "refused"])
    .optional()
    .describe(
      "Something was to be switched on, and nobody has seen it on: the service has not confirmed it, or it was refused before that.",
    ),
  switchedBy: z
    .string()
    .optional()
    .describe(
      "The run that has carried a preview out by switching them on last, as the journal names it. Absent if none has.",
    ),
  stateVersion: z.literal(STATE_VERSION).describe("In which form the state is recorded."),
});

/** What users get of an auto-extension beside its arguments. The rest of the state is the provider's own. */
export const autoExtensionOutputsSchema = autoExtensionStateSchema.pick({
  proxies: true,
  quote: true,
});

/** See `autoExtensionQuoteSchema`. */
export type AutoExtensionQuote = z.infer<typeof autoExtensionQuoteSchema>;

/** Arguments with what the provider adds to them at check. */
export type CheckedAutoExtension = z.infer<typeof checkedAutoExtensionSchema>;

/** What the engine kept of an earlier check, or has from a refresh. */
export type FormerAutoExtension = z.infer<typeof formerAutoExtensionSchema>;

/** A proxy as it was last seen. */
export type ExtendedProxy = z.infer<typeof extendedProxySchema>;

/** What is recorded of an auto-extension. */
export type AutoExtensionState = z.infer<typeof autoExtensionStateSchema>;

/** Parses what a check has made. */
export function parseCheckedAutoExtension(inputs: unknown): CheckedAutoExtension {
  return parseState(checkedAutoExtensionSchema, inputs, "inputs of this IpAutoExtend");
}

/** Parses what the engine kept of an earlier check, or has from a refresh. */
export function parseFormerAutoExtension(inputs: unknown): FormerAutoExtension {
  return parseState(formerAutoExtensionSchema, inputs, "inputs of this IpAutoExtend");
}

/** Parses what the engine kept of an auto-extension. */
export function parseAutoExtensionState(outputs: unknown): AutoExtensionState {
  return parseState(autoExtensionStateSchema, outputs, "outputs of this IpAutoExtend", migration);
}

/** The state to record once the flags are as wanted. */
export function recordAutoExtension(
  checked: CheckedAutoExtension,
  proxies: ExtendedProxy[],
  switchedBy?: string,
): AutoExtensionState {
  const { autoExtend, rentPeriodDays } = checked;
  const declared = { autoExtend, rentPeriodDays };
  return { ...checked, declared, proxies, switchedBy, stateVersion: STATE_VERSION };
}

/** What the program asked for last, and what that costs. */
export function declaredOf({
  autoExtend,
  rentPeriodDays,
  quote,
  declared,
}: AutoExtensionState): Pick<CheckedAutoExtension, "autoExtend" | "rentPeriodDays" | "quote"> {
  return { autoExtend, rentPeriodDays, ...declared, quote: declared?.quote ?? quote };
}
