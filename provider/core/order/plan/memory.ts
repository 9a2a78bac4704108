import type { OrderQuote } from "../../spending/quote.ts";
import type { Recoverer } from "../recover/recover.ts";

/** What one process remembers of orders between the engine's calls. */
export interface OrderMemory {
  /** The quotes of replacements, by requestId. Both checks of one replacement must say the same. */
  replacements: Map<string, OrderQuote>;
  recover: Recoverer;
}
