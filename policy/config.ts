import type { PolicyConfigSchema, ResourceValidationArgs } from "@pulumi/policy";
import { z } from "zod";

/** What the engine shows of a policy's config, fills in and checks when it starts the pack. */
export function toConfigSchema(schema: z.ZodObject): PolicyConfigSchema {
  const { properties, required } = z.toJSONSchema(schema, { io: "input", target: "draft-7" });
  return {
    // Both are the JSON schema of draft 7, written down twice.
    properties: properties as PolicyConfigSchema["properties"],
    required: required ?? [],
  };
}

/**
 * A policy's config. The engine has checked the values of the keys it knows but lets unknown keys pass, and a
 * misspelt limit would be no limit: so what is not understood stops the run.
 */
export function readConfig<Schema extends z.ZodObject>(
  policyName: string,
  schema: Schema,
  args: ResourceValidationArgs,
): z.output<Schema> {
  const parsed = schema.safeParse(args.getConfig());
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => [...path, message].join(": "));
  const known = ["enforcementLevel", ...Object.keys(schema.shape)];
  throw new PolicyConfigError(
    `the config of ${policyName} is wrong: ${problems.join("; ")}. It may have ${known.join(", ")}`,
  );
}

/** A config that stops the run. The engine prints an error's stack, which tells the config's author nothing. */
export class PolicyConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.stack = message;
  }
}
