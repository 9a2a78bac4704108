import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "./app.ts";
import type { Service } from "./service.ts";

export interface RunningServer {
  baseUrl: string;
  stop(): Promise<void>;
}

/** Puts the service on a port; a port that is taken rejects. */
export async function startServer(service: Service): Promise<RunningServer> {
  const { host, port } = service.settings;
  const stopping = new AbortController();
  const app = createApp(service, stopping.signal);
  // The standard Request and Response of a test's own process are left as they are.
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  server.listen(port, host);
  await once(server, "listening");

  const close = async (): Promise<void> => {
    const closed = once(server, "close");
    stopping.abort();
    server.close();
    // Not only idle ones: a client that keeps its connection, or waits for an answer, must not keep the simulator.
    server.closeAllConnections();
    await closed;
  };
  let closing: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    closing ??= close();
    return closing;
  };

  return { baseUrl: `http://${formatAuthority(host, server.address())}`, stop };
}

function formatAuthority(
  host: string,
  address: ReturnType<ReturnType<typeof createServer>["address"]>,
) {
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return `${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}
