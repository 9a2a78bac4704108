import { z } from "zod";
import { proxyTypes } from "../../client/index.ts";

export const knownFlagSchema = z.object({
  proxyType: z.enum(proxyTypes),
  ipAddressId: z.string(),
  /** Ip and port: the service may change the id. */
  address: z.string(),
  autoExtend: z.boolean(),
  /** Until when it was paid at the least, when this was known. */
  dateEnd: z.string().optional(),
  /** One more than of all that was known when it was written: clocks of two machines may differ. */
  turn: z.number(),
  at: z.string(),
});

/** What is known of the auto-extension of a proxy, newer perhaps than any state. */
export type KnownFlag = z.infer<typeof knownFlagSchema>;
