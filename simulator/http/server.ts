import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { refuseUnreadable } from "./unreadable-request.ts";

export interface RunningServer {
  readonly url: string;
  /** Lets nobody connect any more. What is under way goes on. */
  pause(): void;
  /** Undoes that on the same port. Rejects if another program has taken the port. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

interface ServerOptions {
  host: string;
  port: number;
  /** The time for the `Date` of answers that no app gives. */
  now: () => Date;
  /** Whether the process's global Request and Response may be replaced by quicker ones. @default false */
  ownsProcess?: boolean;
  /** How long a request may take to arrive, headers and body. @default 60000 */
  arrivalTimeoutMs?: number;
}

/** How many connections may wait. If there are more at the same moment, each is delayed by at least a second. */
const mostWaiting = 4096;

/** Serves an app on a port of this machine. Rejects if the port is taken. */
export async function startServer(
  fetch: Parameters<typeof getRequestListener>[0],
  { host, port, now, ownsProcess = false, arrivalTimeoutMs = 60_000 }: ServerOptions,
): Promise<RunningServer> {
  const server = createServer(
    {
      requestTimeout: arrivalTimeoutMs,
      headersTimeout: arrivalTimeoutMs,
      connectionsCheckingInterval: arrivalTimeoutMs / 4,
      // Our listener says what is missing. Node would not.
      requireHostHeader: false,
    },
    getRequestListener(fetch, {
      // Those of somebody's test process stay as they are.
      overrideGlobalObjects: ownsProcess,
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
      // Not only idle ones: a client that keeps its connection, or waits for an answer, must not keep the simulator
      // alive.
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Refuses a host or a path that makes no URL. */
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
