import { ProxyRentalError } from "../core/values/errors.ts";

const LEAST_MAJOR = 22;

const LEAST_MINOR = 12;

/**
 * Throws if this Node.js is too old. The language host takes the first `node` that it finds, and a missing feature
 * would fail in the middle of a run.
 */
export function assertSupportedNode(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > LEAST_MAJOR || (major === LEAST_MAJOR && minor >= LEAST_MINOR)) return;
  throw new ProxyRentalError(
    "CONFIGURATION_INVALID",
    `pulumi-proxyrental needs Node.js ${LEAST_MAJOR}.${LEAST_MINOR} or newer, and this is ${version}. Nothing was bought. Put a newer node first on PATH.`,
  );
}
