import { z } from "zod";

/**
 * Identifiers and ports are documented as strings. A number is accepted too: an id that changes its JSON type must
 * not make a placed order unreadable. A number that JavaScript can't hold exactly would become the id of something else.
 */
export const text = z
  .union([z.string(), z.number().refine(Number.isSafeInteger)])
  .transform(String);

/** An ISO currency code. */
export const currency = z.string().min(1);

/** `VALID`, `NO_VALID`, or null when no promo code was sent. Unknown words pass through. */
export const promoCodeStatus = z.string().nullish();

const problem = z.object({ code: z.number(), message: z.string() });

/** Warnings of a calculation. If there are any, the order or extension does not go through. */
export const warnings = z
  .array(problem)
  .nullish()
  .transform((list) => list ?? []);

/**
 * What every answer carries (source: "General conventions", 5), and the balance, which a refusal may tell (source: "Errors",
 * 3). A malformed balance must not make an answer unreadable.
 */
export const envelope = z.looseObject({
  success: z.boolean(),
  error: problem.nullish(),
  balance: z.number().optional().catch(undefined),
});
