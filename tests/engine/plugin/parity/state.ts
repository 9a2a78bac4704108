import { inject } from "vitest";
import { z } from "zod";
import { openSecrets } from "../../../support/open-secrets.ts";
import type { Stack } from "../../../support/stack.ts";

const properties = z.record(z.string(), z.unknown()).default({});

const state = z.object({
  resources: z
    .array(
      z.object({
        urn: z.string(),
        id: z.string().optional(),
        delete: z.boolean().optional(),
        inputs: properties,
        outputs: properties,
        initErrors: z.array(z.string()).optional(),
        protect: z.boolean().optional(),
        dependencies: z.array(z.string()).optional(),
      }),
    )
    .default([]),
});

/** A resource as the engine keeps it. Its secrets are in plain text, and still marked as secrets. */
export type KeptResource = z.infer<typeof state>["resources"][number];

/** Reads the resources that the engine keeps of a stack. */
export async function readResources(stack: Stack): Promise<KeptResource[]> {
  const { checkpoint } = JSON.parse(await stack.stateText());
  const latest = await openSecrets(checkpoint.latest, inject("keyServiceUrl"));
  return state.parse(latest).resources;
}
