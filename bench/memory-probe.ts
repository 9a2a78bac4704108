import { fileURLToPath } from "node:url";
import { z } from "zod";
import { ask } from "./ask.ts";

const script = fileURLToPath(new URL("./memory-probe-script.js", import.meta.url));

/** The options of Node for a process that is to say what it uses. */
export const probed = ["--expose-gc", "--import", script];

const usageSchema = z.object({
  rssBytes: z.number(),
  /** The most that it has used. */
  peakBytes: z.number(),
  heapBytes: z.number(),
  cpuMs: z.number(),
});

/** The memory that a process uses now, and the processor time since its start. */
export type Usage = z.infer<typeof usageSchema>;

/** Asks a process that was started with these options. */
export async function readUsage(child: Parameters<typeof ask>[0]): Promise<Usage> {
  return usageSchema.parse(await ask(child, "usage"));
}

export function megabytes(bytes: number): number {
  return bytes / 1e6;
}
