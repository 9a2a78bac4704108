import { z } from "zod";
import { effectSchema } from "../values/effect.ts";

export const planSchema = z.object({
  owner: z.string(),
  /** Absent where nothing is known of what would be bought. */
  requestId: z.string().optional(),
  effect: effectSchema,
  quantity: z.number().optional(),
  price: z.number().optional(),
  priceAtMost: z.number().optional(),
  currency: z.string().optional(),
  at: z.string(),
  /** See `RunIdentity`. */
  command: z.string().optional(),
  commandId: z.string().optional(),
});

/** What a preview said that `up` would do for one resource. That may be nothing (`none`). */
export type PreviewedPlan = z.infer<typeof planSchema>;

/** What a check knows of its plan. The time and the command are added. */
export type PlanTrace = Omit<PreviewedPlan, "at" | "command" | "commandId">;
