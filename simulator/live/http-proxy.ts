import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
  request as sendRequest,
} from "node:http";
import { pipeline } from "node:stream/promises";
import { selectForwarded } from "./forwarded-headers.ts";
import { endWith } from "./last-words.ts";
import { isWelcomeByHeader } from "./login.ts";
import type { Manners } from "./manners.ts";
import { join, parseTarget } from "./tunnel.ts";

/** Why a client is refused. */
interface Refusal {
  status: 400 | 407 | 502;
  text: string;
}

const loginWanted: Refusal = { status: 407, text: "The login of this proxy is expected" };
const challenge = { "Proxy-Authenticate": 'Basic realm="proxy"' };

/** An HTTP proxy: tunnels (CONNECT), and plain requests that name their target by a whole URL. */
export function createHttpProxy({ login, reach }: Manners): Server {
  const isWelcome = ({ headers }: IncomingMessage) =>
    isWelcomeByHeader(login(), headers["proxy-authorization"]);
  const server = createServer((request, response) => {
    if (isWelcome(request)) void forward(request, response, reach);
    else refuse(response, loginWanted);
  });
  server.on("connect", (request, _socket, head: Buffer) => {
    if (isWelcome(request)) void openTunnel(request, head, reach);
    else refuseTunnel(request, loginWanted);
  });
  return server;
}

async function openTunnel(
  request: IncomingMessage,
  head: Buffer,
  reach: Manners["reach"],
): Promise<void> {
  const client = request.socket;
  const target = parseTarget(request.url ?? "");
  if (target === undefined) {
    refuseTunnel(request, { status: 400, text: "CONNECT host:port is expected" });
    return;
  }
  try {
    const upstream = await reach(target, client);
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    upstream.write(head);
    await join(client, upstream);
  } catch (error) {
    refuseTunnel(request, describeFailure(error));
  }
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  reach: Manners["reach"],
): Promise<void> {
  const [, authority = "", rest = ""] =
    /^http:\/\/([^/?#]*)([^#]*)$/i.exec(request.url ?? "") ?? [];
  const target = parseTarget(authority, 80);
  if (target === undefined) {
    refuse(response, { status: 400, text: "This is a proxy: a whole http URL is expected" });
    return;
  }
  try {
    const upstream = await reach(target, request.socket);
    response.once("close", () => upstream.destroy());
    const outgoing = sendRequest({
      createConnection: () => upstream,
      method: request.method,
      path: rest.startsWith("/") ? rest : `/${rest}`,
      headers: {
        ...selectForwarded(request.headersDistinct),
        host: authority,
        // On its own, node sends a body of unknown length only if the method usually has one.
        ...(request.headers["transfer-encoding"] && { "transfer-encoding": "chunked" }),
      },
    });
    // A client that waits for the answer, or is reading it, is told in another way.
    outgoing.on("error", () => {});
    // No pipeline: the client must keep its connection if a target answers before it has read everything.
    request.pipe(outgoing);
    response.once("finish", () => request.unpipe().resume());
    const [answer]: IncomingMessage[] = await once(outgoing, "response");
    if (answer === undefined) return;
    response.writeHead(
      answer.statusCode ?? 502,
      answer.statusMessage,
      selectForwarded(answer.headersDistinct),
    );
    await pipeline(answer, response);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else refuse(response, describeFailure(error));
  }
}

function describeFailure(error: unknown): Refusal {
  return { status: 502, text: error instanceof Error ? error.message : String(error) };
}

function refuse(response: ServerResponse, { status, text }: Refusal): void {
  response.writeHead(status, {
    "Content-Type": "text/plain",
    ...(status === 407 && challenge),
  });
  response.end(`${text}\n`);
}

/** Node has already handed over the bare connection. */
function refuseTunnel({ socket }: IncomingMessage, { status, text }: Refusal): void {
  const headers = { "Content-Type": "text/plain", Connection: "close" };
  const lines = Object.entries({ ...headers, ...(status === 407 && challenge) });
  endWith(
    socket,
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...lines.map(([name, value]) => `${name}: ${value}`),
      "",
      `${text}\n`,
    ].join("\r\n"),
  );
}
