import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "../api/app.ts";
import type { Service } from "../service.ts";

export interface RunningServer {
  baseUrl: string;
  refuseConnections(): void;
  acceptConnections(): Promise<void>;
  stop(): Promise<void>;
}

/** Puts the service on a port; a port that is taken rejects. */
export async function startServer(service: Service): Promise<RunningServer> {
  const { host } = service.settings;
  const app = createApp(service);
  // The standard Request and Response of a test's own process are left as they are.
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  const listen = async (port: number): Promise<void> => {
    server.listen(port, host);
    await once(server, "listening");
  };
  await listen(service.settings.port);
  const port = readPort(server.address());

  const close = async (): Promise<void> => {
    const closed = once(server, "close");
    service.stopping.abort();
    server.close();
    // Not only idle ones: a client that keeps its connection, or waits for an answer, must not keep the simulator.
    server.closeAllConnections();
    await closed;
  };
  let closing: Promise<void> | undefined;
  return {
    baseUrl: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    refuseConnections: () => {
      service.isRefusing = true;
      server.close();
    },
    acceptConnections: async () => {
      if (closing !== undefined) throw new Error("The simulator has been stopped");
      service.isRefusing = false;
      if (!server.listening) await listen(port);
    },
    stop: () => {
      closing ??= close();
      return closing;
    },
  };
}

function readPort(address: ReturnType<ReturnType<typeof createServer>["address"]>): number {
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}
