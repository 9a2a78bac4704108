import type { Recoverer } from "./recover.ts";
import type { Sightings } from "./sightings.ts";

/** What one process remembers of orders between the engine's calls. */
export interface OrderMemory {
  sightings: Sightings;
  recover: Recoverer;
}
