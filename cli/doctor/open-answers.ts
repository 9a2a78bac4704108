import { z } from "zod";
import { proxyTypes } from "../../provider/client/index.ts";

/** What was seen of a question that the service's document leaves open. */
function seen<Schema extends z.ZodType>(answer: Schema) {
  return z.strictObject({
    /** Null if it was not seen. */
    answer: answer.nullable(),
    /** What the answer can't be below, where only that was seen. */
    atLeast: z.number().optional(),
    /** What the answer can't be above, where only that was seen. */
    atMost: z.number().optional(),
    /** From what it was seen, or why it was not. */
    how: z.string(),
  });
}

const percent = z.number().min(0).max(100);
const wholeMs = z.number().int().min(0);

/** The questions have the names that they have in the simulator, which tells there what each means. */
export const openAnswersSchema = z.strictObject({
  orderNumberDiffersFromOrderId: seen(z.boolean()),
  deliveryDelayMs: seen(wholeMs),
  deliveryBatch: seen(z.strictObject({ size: z.number().int().min(1), everyMs: wholeMs })),
  dateEndDelayMs: seen(wholeMs),
  idsChangeOnExtension: seen(z.boolean()),
  ispNeedsUsersPrefix: seen(z.boolean()),
  ipv6IdsAs: seen(z.enum(["list", "string", "either"])),
  pageCap: seen(z.number().int().min(1)),
  minimumQuantity: seen(z.partialRecord(z.enum(proxyTypes), z.number().int().min(1))),
  rateLimitedPercent: seen(percent),
  unavailablePercent: seen(percent),
});

/** The answers to all open questions, as far as they were seen. */
export type OpenAnswers = z.infer<typeof openAnswersSchema>;

/** One answer, whatever the question. */
export type OpenAnswer = OpenAnswers[keyof OpenAnswers];

/** Nothing was seen, and why. */
export function notSeen(how: string): { answer: null; how: string } {
  return { answer: null, how };
}

/** An answer as a person reads it. */
export function describeAnswer({ answer, atLeast, atMost }: OpenAnswer): string {
  if (answer !== null) {
    return typeof answer === "object"
      ? Object.entries(answer)
          .map(([name, value]) => `${name} ${value}`)
          .join(", ")
      : String(answer);
  }
  const bounds = [
    ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
    ...(atMost === undefined ? [] : [`at most ${atMost}`]),
  ];
  return bounds.length === 0 ? "not seen" : bounds.join(", ");
}
