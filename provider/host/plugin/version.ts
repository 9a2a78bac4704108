import { createRequire } from "node:module";

/** The release of this package, found by its own name: the built file and the source lie at different depths. */
export const packageVersion: string = createRequire(import.meta.url)(
  "pulumi-proxyrental/package.json",
).version;
