import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A request as it came over the wire. */
export interface SeenRequest {
  method: string;
  /** As sent, percent-encoding included, without the query. */
  path: string;
  query: Record<string, string>;
  contentType: string | undefined;
  body: unknown;
  /** Counts connections from 0 in the order in which their first request came. */
  connection: number;
}

/** What the service does with a request. */
export type Reaction = (response: ServerResponse) => void;

/** A service that does as it is told, over real HTTP. */
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

/** The first request meets the first reaction, and so on; the last one stays. */
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
