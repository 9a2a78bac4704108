import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A request as it was received. */
export interface SeenRequest {
  method: string;
  /** The path as it was sent, percent-encoded and without the query. */
  path: string;
  query: Record<string, string>;
  contentType: string | undefined;
  body: unknown;
  /** The number of the connection. Connections are numbered from 0, by the time of their first request. */
  connection: number;
}

/** The way in which the service answers a request. */
export type Reaction = (response: ServerResponse) => void;

/** A service over real HTTP that answers as the test says. */
export interface FakeService {
  baseUrl: string;
  seen: SeenRequest[];
}

/** Starts a service that stops with the test. */
export async function serve(react: (request: SeenRequest) => Reaction): Promise<FakeService> {
  const seen: SeenRequest[] = [];
  const connections: Socket[] = [];
  const server = createServer(async (request, response) => {
    if (!connections.includes(request.socket)) connections.push(request.socket);
    const arrived = await readRequest(request, connections.indexOf(request.socket));
    seen.push(arrived);
    react(arrived)(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, seen };
}

/** The first request gets the first reaction, and so on. All further requests get the last one. */
export function inTurn(...reactions: Reaction[]): () => Reaction {
  let next = 0;
  return () => {
    const reaction = reactions[Math.min(next++, reactions.length - 1)];
    if (reaction === undefined) throw new Error("no reaction was given");
    return reaction;
  };
}

async function readRequest(request: IncomingMessage, connection: number): Promise<SeenRequest> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  const url = new URL(request.url ?? "", "http://service");
  return {
    method: request.method ?? "",
    path: (request.url ?? "").split("?")[0] ?? "",
    query: Object.fromEntries(url.searchParams),
    contentType: request.headers["content-type"],
    body: text === "" ? undefined : JSON.parse(text),
    connection,
  };
}
