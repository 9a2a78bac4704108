import type { Sightings } from "../../account/sightings.ts";
import type { Recoverer } from "../recover/recover.ts";

/** What one process remembers of orders between the engine's calls. */
export interface OrderMemory {
  sightings: Sightings;
  recover: Recoverer;
}
