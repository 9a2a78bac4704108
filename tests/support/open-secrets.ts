import { z } from "zod";
import { decrypt } from "./key-service.ts";

/** What the engine keeps beside the resources to open their secrets. */
const locked = z.object({
  secrets_providers: z.object({ state: z.object({ encryptedkey: z.base64() }) }),
});

const answer = z.object({ data: z.object({ plaintext: z.base64() }) });

const secret = z.object({ ciphertext: z.string().startsWith("v1:") });

/**
 * Opens the secrets of a state, as `pulumi stack export --show-secrets` does: each stays marked, and has its `plaintext`
 * in place of its `ciphertext`. The command takes 0.15 s of a processor.
 * @param state what the engine keeps of a stack
 * @param keyServiceUrl the service that opens the stack's key; see `startKeyService`
 */
export async function openSecrets(state: unknown, keyServiceUrl: string): Promise<unknown> {
  const key = await openKey(
    locked.parse(state).secrets_providers.state.encryptedkey,
    keyServiceUrl,
  );
  return JSON.parse(JSON.stringify(state), (_name, value) => {
    const found = secret.safeParse(value);
    if (!found.success) return value;
    const { ciphertext, ...mark } = value;
    return { ...mark, plaintext: openText(found.data.ciphertext, key) };
  });
}

async function openKey(encrypted: string, keyServiceUrl: string): Promise<Buffer> {
  const response = await fetch(`${keyServiceUrl}/v1/transit/decrypt/stacks`, {
    method: "POST",
    body: JSON.stringify({ ciphertext: Buffer.from(encrypted, "base64").toString("utf8") }),
  });
  return Buffer.from(answer.parse(await response.json()).data.plaintext, "base64");
}

/** @param text the version, the nonce, and what is hidden */
function openText(text: string, key: Buffer): string {
  const [, nonce = "", hidden = ""] = text.split(":");
  return decrypt(key, Buffer.from(nonce, "base64"), Buffer.from(hidden, "base64")).toString();
}
