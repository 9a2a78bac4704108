import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** How a witness answers: a body for the address that it has seen, and a status. */
export interface WitnessAnswer {
  status?: number;
  write?: (address: string) => string;
}

/** Starts a web page that answers with its caller's address, which is how a test learns where a proxy comes out. */
export async function startWitness({
  status = 200,
  write = (address) => address,
}: WitnessAnswer = {}): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(status);
    response.end(write(request.socket.remoteAddress ?? ""));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/ip`;
}
