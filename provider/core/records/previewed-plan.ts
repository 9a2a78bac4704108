import { z } from "zod";
import { effectSchema } from "../values/effect.ts";

export const planSchema = z.object({
  owner: z.string(),
  /** Absent where nothing is known of what would be bought. */
  requestId: z.string().optional(),
  /** Tells what a purchase of several calls is for, however much of it is paid: see `nameTerms`. Absent where one call pays for all. */
  terms: z.string().optional(),
  /** `autoExtend`: nothing is bought now, and `price` is what each automatic extension costs. */
  effect: effectSchema.or(z.literal("autoExtend")),
  /** Which proxies an automatic extension is for, by their ids. Absent for a purchase. */
  proxies: z.array(z.string()).optional(),
  quantity: z.number().optional(),
  /** How many proxies each call pays for. Absent where one call pays for all. */
  rounds: z.array(z.number()).optional(),
  price: z.number().optional(),
  priceAtMost: z.number().optional(),
  currency: z.string().optional(),
  at: z.string(),
  /**
   * From which folders it was carried out since, and by which run of each last, where no purchase tells that. On a shared journal
   * folders tell nothing. Absent if it was not.
   */
  carriedOut: z.array(z.object({ project: z.string(), runId: z.string() })).optional(),
  /** The same in earlier documents, which do not tell from where. */
  isOver: z.literal(true).optional(),
  /** The sequence that the next purchase would have had when the preview began. Absent if nobody could tell. */
  sequence: z.number().optional(),
  /** The same for flags: the turn of their next note. Absent for a purchase. */
  turn: z.number().optional(),
  /** See `RunIdentity`. */
  command: z.string().optional(),
  commandId: z.string().optional(),
});

/** What a preview said that `up` would do for one resource. That may be nothing (`none`). */
export type PreviewedPlan = z.infer<typeof planSchema>;

/** What a check knows of its plan. The time and the command are added. */
export type PlanTrace = Omit<
  PreviewedPlan,
  "at" | "carriedOut" | "isOver" | "command" | "commandId"
>;

/** What one command has shown of one stack, as far as it still binds. */
export interface Preview {
  /**
   * `thisUp`: the preview inside this very command, `anotherUp`: inside another one, of which nobody knows how far it
   * came, or whether it was refused after it; `preview`: `pulumi preview`; `unseen`: nobody can see what was typed.
   */
  from: "thisUp" | "anotherUp" | "preview" | "unseen";
  /** Whether the engine has told that it is a preview. Otherwise it may be what an update has checked and not carried out. */
  isTold: boolean;
  /** Whether it was of the program in this run's folder. On a shared journal it always is: folders tell nothing there. */
  isHere: boolean;
  /** The first and the last of its writes, in the order of all writes. */
  firstWrite: number;
  lastWrite: number;
  /** When it was written last, by the store's clock. */
  writtenAt: string;
  /** By owner. */
  plans: ReadonlyMap<string, PreviewedPlan>;
}
