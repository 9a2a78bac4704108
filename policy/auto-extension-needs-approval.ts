import { z } from "zod";
import { limit } from "./config-values.ts";
import { fitsUrn } from "./glob.ts";
import { notKnown, type Props, parseInput, readKnown } from "./inputs.ts";
import { formatPrice } from "./price-text.ts";
import { kindOf } from "./resource-kind.ts";
import { definePolicy } from "./spend-policy.ts";

const approval = z.strictObject({
  urn: z.string().min(1).describe("URN or name of the IpAutoExtend; * stands for any text."),
  owner: z.string().trim().min(1).describe("Who answers for it."),
  cover: limit.describe("Most that one extension of it may cost, in account currency."),
});

const config = z.strictObject({
  approvals: z
    .array(approval)
    .optional()
    .describe("What may extend itself; an empty list allows none, and without it nothing is held."),
});

/** What may extend itself, who answers for it, and what one extension may cost in account currency. */
export type AutoExtensionNeedsApprovalConfig = z.input<typeof config>;

/**
 * Allows automatic extension only if somebody answers for it and for its cost each time: the service charges it
 * later, outside of every plan. If the proxies are not known at preview, neither is the price. Then an approved one
 * passes at preview and is judged at up, before it is switched on.
 */
export const autoExtensionNeedsApproval = definePolicy({
  name: "auto-extension-needs-approval",
  description: "Automatic extension has an owner and a cover.",
  config,
  judge({ type, urn, props }, { approvals }) {
    if (approvals === undefined || kindOf(type) !== "IpAutoExtend") return undefined;
    if (parseInput(props, "autoExtend", z.boolean()) === false) return undefined;
    const approved = approvals.find((one) => fitsUrn(one.urn, urn));
    if (approved === undefined) {
      return "it would extend itself and be charged without a plan, and nothing in approvals names it. Set autoExtend: false, or add it with an owner and a cover to approvals in the config of auto-extension-needs-approval.";
    }
    return findUncovered(props, approved);
  },
});

const quoteSchema = z.object({
  pricePerCycle: z.number().min(0),
  currency: z.string().optional(),
});

function findUncovered(
  props: Props,
  { owner, cover }: z.output<typeof approval>,
): string | undefined {
  const quote = parseInput(props, "quote", quoteSchema);
  // Without any quote the proxies are bought in this run. At up they are known.
  const isLater = quote === notKnown || readKnown(() => props.quote) === undefined;
  if (isLater) return undefined;
  if (quote === undefined) {
    return `what an extension costs is not known, so the cover that ${owner} answers for can't be held. Run again when the service tells the price.`;
  }
  if (quote.pricePerCycle <= cover) return undefined;
  const { pricePerCycle, currency } = quote;
  return `one extension costs ${formatPrice({ amount: pricePerCycle, currency })}, above the cover of ${formatPrice({ amount: cover, currency })} that ${owner} answers for. Extend fewer proxies, or raise cover in the config of auto-extension-needs-approval.`;
}
