import { fileURLToPath } from "node:url";
import { z } from "zod";

/** What Node loads into a process that is to say what it uses. It then answers each message. */
export const probe = fileURLToPath(new URL("./memory-probe-script.ts", import.meta.url));

export const usageSchema = z.object({
  rssBytes: z.number(),
  /** The most that it has used. */
  peakBytes: z.number(),
  heapBytes: z.number(),
  cpuMs: z.number(),
});

/** The memory that a process uses now, and the processor time since its start. */
export type Usage = z.infer<typeof usageSchema>;
