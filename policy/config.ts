import type {
  EnforcementLevel,
  PolicyConfigSchema,
  ResourceValidationArgs,
  ResourceValidationPolicy,
} from "@pulumi/policy";
import { z } from "zod";

/**
 * A wrong config, which stops the run. It has no stack: the engine would print it, and it tells the config's author
 * nothing.
 */
export class PolicyConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.stack = message;
  }
}

/**
 * The schema of a policy's config. The engine shows it, fills in defaults and checks values when it starts the pack.
 */
export function toConfigSchema(schema: z.ZodObject): PolicyConfigSchema {
  const { properties, required } = z.toJSONSchema(schema, { io: "input", target: "draft-7" });
  return {
    // Both are types of the JSON schema of draft 7.
    properties: properties as PolicyConfigSchema["properties"],
    required: required ?? [],
  };
}

/**
 * Parses a policy's config. The engine has checked the values of the keys that it knows, but it lets unknown keys
 * pass. A misspelt limit would be no limit, so whatever is not understood stops the run.
 */
export function parseConfig<Schema extends z.ZodObject>(
  policyName: string,
  schema: Schema,
  args: Pick<ResourceValidationArgs, "getConfig">,
): z.output<Schema> {
  const parsed = schema.safeParse(args.getConfig());
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => [...path, message].join(": "));
  const known = ["enforcementLevel", ...Object.keys(schema.shape)];
  throw new PolicyConfigError(
    `the config of ${policyName} is wrong: ${problems.join("; ")}. It may have ${known.join(", ")}`,
  );
}

type JsonValue = NonNullable<PolicyConfigSchema["properties"][string]["default"]>;

/**
 * Gives a policy another default level and config. They go through the engine, and so through its checks and
 * `parseConfig`.
 */
export function setDefaults<Policy extends ResourceValidationPolicy>(
  policy: Policy,
  all: EnforcementLevel | undefined,
  given: EnforcementLevel | { enforcementLevel?: EnforcementLevel } = {},
): Policy {
  const { enforcementLevel: level = all, ...config } =
    typeof given === "string" ? { enforcementLevel: given } : given;
  const properties = { ...policy.configSchema?.properties };
  for (const [key, value] of Object.entries<JsonValue | undefined>(config)) {
    if (value !== undefined) properties[key] = { ...properties[key], default: value };
  }
  return {
    ...policy,
    enforcementLevel: level ?? policy.enforcementLevel ?? "mandatory",
    configSchema: { ...policy.configSchema, properties },
  };
}

/** What is wrong with a config that names these policies; undefined if nothing is. */
export function findUnknownNames(
  names: readonly string[],
  policies: readonly ResourceValidationPolicy[],
): PolicyConfigError | undefined {
  const known = ["all", ...policies.map(({ name }) => name)];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return undefined;
  return new PolicyConfigError(
    `the config names ${unknown.join(", ")}, which is no policy of this pack. It may name ${known.join(", ")}`,
  );
}
