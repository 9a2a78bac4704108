import { readFile } from "node:fs/promises";
import { z } from "zod";

const event = z.object({
  diagnosticEvent: z
    .object({ urn: z.string().default(""), message: z.string(), severity: z.string() })
    .optional(),
  resourcePreEvent: z
    .object({
      metadata: z.object({
        op: z.string(),
        urn: z.string(),
        new: z.object({ inputs: z.record(z.string(), z.unknown()).nullish() }).nullish(),
      }),
    })
    .optional(),
});

/** What a command of the engine did and said. */
export interface EngineEvents {
  /** What is done with each resource, with its checked inputs. */
  readonly steps: readonly { op: string; urn: string; inputs: Record<string, unknown> }[];
  /** The messages. Each may have several lines. */
  readonly said: readonly { urn: string; message: string; severity: string }[];
}

/** Reads the file of `--event-log`. The CLI knows this option only with `PULUMI_DEBUG_COMMANDS`. */
export async function readEventLog(path: string): Promise<EngineEvents> {
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  const events = lines.map((line) => event.parse(JSON.parse(line)));
  return {
    steps: events.flatMap(({ resourcePreEvent: step }) => {
      if (step === undefined) return [];
      const { op, urn, new: planned } = step.metadata;
      return [{ op, urn, inputs: planned?.inputs ?? {} }];
    }),
    said: events.flatMap(({ diagnosticEvent: line }) => {
      if (line === undefined || line.severity === "debug") return [];
      return [line];
    }),
  };
}
