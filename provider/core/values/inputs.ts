import type { z } from "zod";
import type { ErrorCode } from "./errors.ts";

/** One thing that is wrong with an argument, in the words that the user will read. */
export interface InputFailure {
  /**
   * Why it is refused, if not for the value of the argument itself. Then `reason` is whole sentences, which name what
   * to change. If there is none, it goes on after the name of the argument.
   */
  code?: ErrorCode;
  property: string;
  reason: string;
}

/** Arguments as the user's program gave them; some may not be known before other resources exist. */
export interface GivenInputs {
  known: Readonly<Record<string, unknown>>;
  unknown: ReadonlySet<string>;
  /** The fleet that the resource is a part of, as the sdk says it beside the arguments. */
  fleet?: unknown;
}

/** Says what a refusal of an argument calls accepted. It completes "must be …". */
export function accepts<Schema extends z.ZodType>(schema: Schema, accepted: string): Schema {
  return schema.meta({ accepted });
}

/** As `accepts`, for an argument that may be confidential. A refusal does not repeat it. */
export function acceptsHidden<Schema extends z.ZodType>(schema: Schema, accepted: string): Schema {
  return schema.meta({ accepted, hidden: true });
}

/** What `accepts` said of an argument. */
export function acceptedBy(schema: z.ZodType): string {
  return String(schema.meta()?.accepted);
}

/**
 * Parses each argument by itself, so that all failures are reported at once and an unknown argument does not hide the
 * others.
 */
export function parseInputs(
  shape: Readonly<Record<string, z.ZodType>>,
  given: GivenInputs,
): { values: Record<string, unknown>; failures: InputFailure[] } {
  const values: Record<string, unknown> = {};
  const failures: InputFailure[] = [];
  for (const [property, schema] of Object.entries(shape)) {
    if (given.unknown.has(property)) continue;
    const value = given.known[property] ?? undefined;
    const read = schema.safeParse(value);
    if (!read.success) failures.push({ property, reason: refusal(schema, value) });
    else if (read.data !== undefined) values[property] = read.data;
  }
  return { values, failures: [...failures, ...findStrangers(shape, given)] };
}

/** Whether arguments that were read without a failure are all known. */
export function isComplete<Args>(args: Partial<Args>, given: GivenInputs): args is Args {
  return given.unknown.size === 0;
}

function refusal(schema: z.ZodType, value: unknown): string {
  if (value === undefined) return `is required: ${acceptedBy(schema)}`;
  const hidden = schema.meta()?.hidden === true;
  const shown = hidden ? "what was given" : abbreviate(JSON.stringify(value));
  return `must be ${acceptedBy(schema)}, not ${shown}`;
}

/** A misspelled argument would otherwise be ignored in silence, and its value lost. */
function findStrangers(
  shape: Readonly<Record<string, z.ZodType>>,
  given: GivenInputs,
): InputFailure[] {
  const accepted = Object.keys(shape).join(", ") || "none";
  return [...Object.keys(given.known), ...given.unknown]
    .filter((property) => !Object.hasOwn(shape, property))
    .map((property) => ({ property, reason: `is not an argument; accepted: ${accepted}` }));
}

function abbreviate(text: string): string {
  const LONG = 60;
  return text.length <= LONG ? text : `${text.slice(0, LONG)}…`;
}

/** A list for a person: all of a short one; of a long one the beginning and the number. */
export function listAccepted(values: readonly (string | number)[]): string {
  const MANY = 30;
  if (values.length === 0) return "none at present";
  if (values.length <= MANY) return values.join(", ");
  return `${values.slice(0, MANY).join(", ")}, … (${values.length} in all)`;
}
