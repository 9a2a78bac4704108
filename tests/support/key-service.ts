import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { z } from "zod";

/** The service with which the engine locks and unlocks the key of a stack's secrets. */
export interface KeyService {
  readonly url: string;
  stop(): void;
}

/** The argument of `pulumi stack init` for a key of this service. */
export const keyServiceProvider = "hashivault://stacks";

const algorithm = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

const encryption = z.object({ plaintext: z.base64() });
const decryption = z.object({ ciphertext: z.string().startsWith("vault:v1:") });

/** @param hidden what was encrypted, with its tag at the end */
export function decrypt(key: Buffer, iv: Buffer, hidden: Buffer): Buffer {
  const decipher = createDecipheriv(algorithm, key, iv);
  decipher.setAuthTag(hidden.subarray(-tagBytes));
  return Buffer.concat([decipher.update(hidden.subarray(0, -tagBytes)), decipher.final()]);
}

/**
 * Starts a key service that speaks like Vault's transit engine. With a passphrase the engine would need a million
 * rounds of hashing in each command to derive the stack's key. That takes longer than the rest of a small command.
 */
export async function startKeyService(): Promise<KeyService> {
  const key = randomBytes(32);

  const answers: Record<string, (body: unknown) => object> = {
    "/v1/transit/encrypt/stacks": (body) => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv);
      const { plaintext } = encryption.parse(body);
      const hidden = [cipher.update(plaintext, "base64"), cipher.final()];
      const ciphertext = Buffer.concat([iv, ...hidden, cipher.getAuthTag()]).toString("base64");
      return { ciphertext: `vault:v1:${ciphertext}` };
    },
    "/v1/transit/decrypt/stacks": (body) => {
      const { ciphertext } = decryption.parse(body);
      const bytes = Buffer.from(ciphertext.slice("vault:v1:".length), "base64");
      const opened = decrypt(key, bytes.subarray(0, ivBytes), bytes.subarray(ivBytes));
      return { plaintext: opened.toString("base64") };
    },
  };

  const server = createServer(async (request, response) => {
    response.setHeader("content-type", "application/json");
    try {
      const answer = answers[request.url ?? ""];
      if (answer === undefined) throw new Error(`nothing is at ${request.url}`);
      response.end(JSON.stringify({ data: answer(JSON.parse(await text(request))) }));
    } catch (error) {
      response.statusCode = 400;
      response.end(JSON.stringify({ errors: [String(error)] }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
