import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { refuseUnreadable } from "./unreadable-request.ts";

export interface RunningServer {
  readonly url: string;
  /** Nobody can connect any more; what is under way goes on. */
  pause(): void;
  /** Undoes that on the same port; rejects when another program has taken it in between. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

interface ServerOptions {
  host: string;
  port: number;
  /** For the `Date` of what no app answers. */
  now: () => Date;
  /** How long a request may take to arrive, headers and body. @default 60000 */
  arrivalTimeoutMs?: number;
}

/** Connections that may wait to be taken up: of more at the same moment, each is delayed by a second at least. */
const mostWaiting = 4096;

/** Puts an app on a port of this machine; a port that is taken rejects. */
export async function startServer(
  fetch: Parameters<typeof getRequestListener>[0],
  { host, port, now, arrivalTimeoutMs = 60_000 }: ServerOptions,
): Promise<RunningServer> {
  const server = createServer(
    {
      requestTimeout: arrivalTimeoutMs,
      headersTimeout: arrivalTimeoutMs,
      connectionsCheckingInterval: arrivalTimeoutMs / 4,
      // The listener says what is missing; node would not.
      requireHostHeader: false,
    },
    getRequestListener(fetch, {
      // The standard Request and Response of a test's own process are left as they are.
      overrideGlobalObjects: false,
      errorHandler: (error) => refuseTarget(error, now()),
    }),
  );
  refuseUnreadable(server, now);
  const listen = async (on: number): Promise<void> => {
    server.listen(on, host, mostWaiting);
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

/** A host or a path of which no URL can be made. */
function refuseTarget(error: unknown, at: Date): Response {
  const isTarget = error instanceof RequestError;
  const message = error instanceof Error ? error.message : String(error);
  return Response.json(
    { message: isTarget ? message : `The simulator itself failed: ${message}` },
    { status: isTarget ? 400 : 500, headers: { Date: at.toUTCString() } },
  );
}

function readPort(address: ReturnType<ReturnType<typeof createServer>["address"]>): number {
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}
