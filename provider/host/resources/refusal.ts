import type { InputFailure } from "../../core/values/inputs.ts";

/** A refusal as the engine takes it. */
export interface WordedRefusal {
  /** The argument whose value the engine prints; "" for none. */
  property: string;
  reason: string;
}

/**
 * The one form of every refusal at preview: its code, a sentence, and what to do. The engine prints the value of the
 * property that is named. So a property is named only if its own value is wrong: a price or a balance is none that the
 * program has set.
 */
export function wordRefusal({ code, property, reason }: InputFailure): WordedRefusal {
  if (code === undefined) return { property, reason: `INPUT_INVALID: ${reason}` };
  return { property: "", reason: `${code}: ${reason}` };
}
