import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";

export interface RunningServer {
  readonly url: string;
  /** Nobody can connect any more; what is under way goes on. */
  pause(): void;
  /** Undoes that on the same port; rejects when another program has taken it in between. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** Puts an app on a port of this machine; a port that is taken rejects. */
export async function startServer(
  fetch: Parameters<typeof getRequestListener>[0],
  { host, port }: { host: string; port: number },
): Promise<RunningServer> {
  // The standard Request and Response of a test's own process are left as they are.
  const server = createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));
  const listen = async (on: number): Promise<void> => {
    server.listen(on, host);
    await once(server, "listening");
  };
  await listen(port);
  const boundPort = readPort(server.address());
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`,
    pause: () => void server.close(),
    resume: async () => {
      if (!server.listening) await listen(boundPort);
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      // Not only idle ones: a client that keeps its connection, or waits for an answer, must not keep the simulator.
      server.closeAllConnections();
      await closed;
    },
  };
}

function readPort(address: ReturnType<ReturnType<typeof createServer>["address"]>): number {
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}
