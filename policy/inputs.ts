import type { z } from "zod";

/** Checked inputs of a resource. They hold secrets: never print them. */
export type Props = Readonly<Record<string, unknown>>;

/** What is known only during up. */
export const notKnown: unique symbol = Symbol("not known");

/** Parses one input: undefined if it is missing or of another shape, `notKnown` if only up will tell. */
export function parseInput<Value>(
  props: Props,
  name: string,
  schema: z.ZodType<Value>,
): Value | undefined | typeof notKnown {
  return readKnown(() => schema.safeParse(props[name]).data);
}

/**
 * Reads something that may not be known. The SDK throws for an unknown value, and would then let a mandatory policy
 * pass with an advice. Its error may be of another copy of the package, so any error counts.
 */
export function readKnown<Value>(read: () => Value): Value | typeof notKnown {
  try {
    return read();
  } catch {
    return notKnown;
  }
}
