import * as pulumi from "@pulumi/pulumi";
import type { ErrorCode } from "../provider/core/values/errors.ts";

export type { ErrorCode } from "../provider/core/values/errors.ts";

/**
 * What stops a program: a function that could not answer, or an argument or setting that is not safe. Pulumi
 * prints it without a stack. What to do about each code: docs/errors.md.
 *
 * @example
 * try {
 *   await getBalance();
 * } catch (error) {
 *   if (!isProxyRentalError(error) || error.code !== "SERVICE_UNREACHABLE") throw error;
 * }
 */
export class ProxyRentalError extends pulumi.RunError {
  override readonly name = "ProxyRentalError";
  /** Stable: scripts may rely on it. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Recognises a `ProxyRentalError` by its name and code, so that it works across copies of this package.
 *
 * @example
 * const balance = await getBalance().catch((error) => {
 *   if (isProxyRentalError(error) && error.code === "SERVICE_UNREACHABLE") return undefined;
 *   throw error;
 * });
 */
export function isProxyRentalError(error: unknown): error is ProxyRentalError {
  return error instanceof Error && error.name === "ProxyRentalError" && "code" in error;
}
