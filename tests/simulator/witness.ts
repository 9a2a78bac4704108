import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { makeCertificate } from "../support/certificate.ts";

/** How a witness answers. */
export interface WitnessManners {
  /** @default 200 */
  status?: number;
  /** The body, from the address that it has seen. @default the address itself */
  write?: (address: string) => string;
  /** How long it waits. @default 0 */
  afterMs?: number;
}

/** A web page that answers with its caller's address, which is how a test learns where a proxy comes out. */
export interface Witness {
  url: string;
  /** The most callers that waited for an answer at the same moment. */
  mostAtOnce(): number;
}

/** Starts a witness, and returns its URL. */
export async function startWitness(manners?: WitnessManners): Promise<string> {
  return (await watchCallers(manners)).url;
}

/** Starts a witness that counts its callers. */
export async function watchCallers(manners?: WitnessManners): Promise<Witness> {
  const { answer, mostAtOnce } = makeListener(manners);
  return { url: `http://${await listen(createServer(answer))}/ip`, mostAtOnce };
}

/** Starts a witness that speaks TLS, with a certificate of its own that nobody else has signed. */
export async function startSecureWitness(): Promise<{ url: string; certificate: string }> {
  const { key, certificate } = await makeCertificate({ ip: "127.0.0.1" });
  const server = createSecureServer({ key, cert: certificate }, makeListener().answer);
  return { url: `https://${await listen(server)}/ip`, certificate };
}

function makeListener({
  status = 200,
  write = (address) => address,
  afterMs = 0,
}: WitnessManners = {}): { answer: RequestListener; mostAtOnce: () => number } {
  let waiting = 0;
  let most = 0;
  return {
    mostAtOnce: () => most,
    async answer(request, response) {
      waiting += 1;
      most = Math.max(most, waiting);
      if (afterMs > 0) await wait(afterMs);
      waiting -= 1;
      response.writeHead(status);
      response.end(write(request.socket.remoteAddress ?? ""));
    },
  };
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
