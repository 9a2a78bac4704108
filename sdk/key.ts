import * as pulumi from "@pulumi/pulumi";
import { ProxyRentalError } from "./errors.ts";

const KEY = "proxyrental:apiKey";

/**
 * Refuses an API key that the stack configures as plain text. The engine keeps a stack's configuration in the state,
 * beside the dynamic provider. Secrets are encrypted there; the rest is readable.
 */
export function assertKeyIsSecret(): void {
  // If the engine does not say which settings are secret, this can't tell.
  const secretKeys = process.env.PULUMI_CONFIG_SECRET_KEYS;
  if (secretKeys === undefined || pulumi.runtime.getConfig(KEY) === undefined) return;
  if (secretKeys.includes(JSON.stringify(KEY))) return;
  throw new ProxyRentalError(
    "CONFIGURATION_INVALID",
    `CONFIGURATION_INVALID: ${KEY} is configured as plain text and would stand readable in the state. Nothing was bought. Set it again with \`pulumi config set --secret ${KEY} …\`, or only in PROXYRENTAL_API_KEY.`,
  );
}
