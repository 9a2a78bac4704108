import type { z } from "zod";

/** Checked inputs of a resource. They hold secrets: never print them. */
export type Props = Readonly<Record<string, unknown>>;

/** What is known only during up. */
export const notKnown: unique symbol = Symbol("not known");

/**
 * One input, read with a schema: undefined where it is missing or not of that shape, `notKnown` where only
 * up will tell.
 */
export function parseInput<Value>(
  props: Props,
  name: string,
  schema: z.ZodType<Value>,
): Value | undefined | typeof notKnown {
  return readKnown(() => schema.safeParse(props[name]).data);
}

/**
 * The SDK throws where an unknown value is read, and then lets a mandatory policy pass with an advice. What
 * it throws belongs to its copy of the package, so anything thrown by a mere reading counts.
 */
export function readKnown<Value>(read: () => Value): Value | typeof notKnown {
  try {
    return read();
  } catch {
    return notKnown;
  }
}
