import { z } from "zod";

/** The engine's mark of a secret. Here a fixed text replaces the secret, because its ciphertext changes each time. */
const secretMark = "4dabf18193072939515e22adb298388d";
export const encrypted = "[encrypted]";

const properties = z
  .record(z.string(), z.unknown())
  .transform((given) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, isEncrypted(value) ? encrypted : value]),
    ),
  );

const resource = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  delete: z.boolean().optional(),
  protect: z.boolean().optional(),
  inputs: properties.default({}),
  outputs: properties.default({}),
  initErrors: z.array(z.string()).optional(),
});

const plan = z.object({
  steps: z
    .array(
      z.object({
        op: z.string(),
        urn: z.string(),
        newState: resource.optional(),
      }),
    )
    .default([]),
  diagnostics: z.array(z.object({ message: z.string() })).default([]),
  changeSummary: z.record(z.string(), z.number()).default({}),
});

const deployment = z.object({
  checkpoint: z.object({
    latest: z.object({
      resources: z.array(resource).default([]),
      pending_operations: z.array(z.unknown()).optional(),
    }),
  }),
});

/** A resource as the state stores it. */
export type ResourceState = z.infer<typeof resource>;

/** The output of `pulumi preview --json`. */
export interface Plan {
  /** The planned step of a resource, by its name. Undefined if the plan does not name the resource. */
  op(name: string): string | undefined;
  /** The checked inputs of a resource, by its name. */
  inputs(name: string): Record<string, unknown>;
  /** How many resources are created, updated and so on. */
  readonly changes: Record<string, number>;
  /** The messages of the provider and the engine. */
  readonly messages: string;
  readonly text: string;
}

/** The state that the engine stores of a stack. */
export interface Deployment {
  readonly resources: readonly ResourceState[];
  /** A resource by its name. Undefined if the state does not have it. */
  find(name: string): ResourceState | undefined;
  readonly pendingOperations: number;
}

export function readPlan(json: string): Plan {
  const { steps, changeSummary, diagnostics } = plan.parse(JSON.parse(json));
  // The steps of a refresh come first. They are not part of the plan.
  const planned = steps.filter(({ op }) => op !== "refresh");
  const named = (name: string) => planned.filter(({ urn }) => isNamed(urn, name));
  return {
    op: (name) => named(name)[0]?.op,
    inputs: (name) => named(name).find((step) => step.newState)?.newState?.inputs ?? {},
    changes: changeSummary,
    messages: diagnostics.map((line) => line.message).join("\n"),
    text: json,
  };
}

export function readDeployment(json: string): Deployment {
  const { latest } = deployment.parse(JSON.parse(json)).checkpoint;
  const { resources, pending_operations: pending = [] } = latest;
  return {
    resources,
    find: (name) => resources.find(({ urn }) => isNamed(urn, name)),
    pendingOperations: pending.length,
  };
}

function isEncrypted(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && secretMark in value && "ciphertext" in value
  );
}

function isNamed(urn: string, name: string): boolean {
  return urn.endsWith(`::${name}`);
}
