import { createRequire } from "node:module";

/**
 * The release of this package. It is found by the package's name, because the built file and the source lie at
 * different depths.
 */
export const packageVersion: string = createRequire(import.meta.url)(
  "pulumi-proxyrental/package.json",
).version;
