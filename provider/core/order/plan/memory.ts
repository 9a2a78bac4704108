import type { OrderQuote } from "../../spending/quote.ts";
import type { Recoverer } from "../recover/recover.ts";

/** What one process remembers of orders between the engine's calls. */
export interface OrderMemory {
  /** The quotes of replacements and what was told of them, by requestId. Both checks of one must say the same. */
  replacements: Map<string, { quote: OrderQuote; lines: readonly string[] }>;
  recover: Recoverer;
}
