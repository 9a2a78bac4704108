import { z } from "zod";
import { proxyTypes } from "../../client/index.ts";

/** The resource, what tells its stack apart from others of its name ("" if nothing does), its folder, and the run. */
const unsavedSchema = z.object({
  owner: z.string(),
  scope: z.string(),
  /** See `intentSchema`. */
  project: z.string(),
  runId: z.string(),
});

export const knownFlagSchema = z.object({
  proxyType: z.enum(proxyTypes),
  ipAddressId: z.string(),
  /** Address and port: the service may change the id. */
  address: z.string(),
  /** The service may give the address to another order. Absent in older documents. */
  orderId: z.string().optional(),
  autoExtend: z.boolean(),
  /**
   * If this package was about to switch it off around its end, or after it: until when it may have been on, by the service's
   * clock, and by how many days it was extended.
   */
  lastOn: z.object({ at: z.string(), extendDays: z.number() }).optional(),
  /** Until when it was paid at least, when this was written. */
  dateEnd: z.string().optional(),
  /** One more than the highest that was known when it was written. The clocks of two machines may differ. */
  turn: z.number(),
  at: z.string(),
  /** Who has switched it on, until a state is seen to have the proxy. */
  unsaved: unsavedSchema.optional(),
});

/** A run that has switched flags of a stack, or has deleted what could have some. */
export const switchingRunSchema = z.object({
  /** With its scope. */
  stack: z.string(),
  /** Folder of its program: see `intentSchema`. */
  project: z.string(),
  runId: z.string(),
  /** As that of a flag. */
  turn: z.number(),
  at: z.string(),
});

/** See `switchingRunSchema`. */
export type SwitchingRun = z.infer<typeof switchingRunSchema>;

/** What is known of the auto-extension of a proxy. It may be newer than any state. */
export type KnownFlag = z.infer<typeof knownFlagSchema>;
