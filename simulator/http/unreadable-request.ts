import { maxHeaderSize, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

interface Refusal {
  status: number;
  message: string;
}

/** By node's name of the error. Everything else is a 400. */
const refusalByCode = new Map<string | undefined, Refusal>([
  [
    "HPE_HEADER_OVERFLOW",
    { status: 431, message: `Request line and headers end at ${maxHeaderSize} bytes` },
  ],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", { status: 413, message: "Too many chunk extensions" }],
  ["ERR_HTTP_REQUEST_TIMEOUT", { status: 408, message: "The request did not arrive in time" }],
]);

/**
 * Refuses requests that no app sees, with a 4xx and `{message}` like all that is not the service: bytes that are no
 * HTTP, requests that are too long or do not arrive, tunnels, expectations. Node alone would answer without a word,
 * or not at all.
 */
export function refuseUnreadable(server: Server, now: () => Date): void {
  const answersBySocket = new WeakMap<Duplex, Set<ServerResponse>>();
  server.prependListener("request", ({ socket }, answer) => {
    const answers = answersBySocket.get(socket) ?? new Set();
    answersBySocket.set(socket, answers.add(answer));
    answer.once("close", () => answers.delete(answer));
  });
  server.on("clientError", async (error: NodeJS.ErrnoException, socket) => {
    const answers = [...(answersBySocket.get(socket) ?? [])];
    // Calls that came whole before it get their own answers first.
    const due = answers.filter(({ req }) => req.complete);
    await Promise.all(due.map((answer) => new Promise((resolve) => answer.once("close", resolve))));
    if (answers.some(({ headersSent, writableEnded }) => headersSent && !writableEnded)) {
      socket.destroy();
    } else if (socket.writable) {
      refuse(socket, refusalByCode.get(error.code) ?? noHttp, now());
    }
  });
  server.on("connect", (_request, socket) => {
    socket.on("error", () => {});
    refuse(socket, noTunnel, now());
  });
  server.on("checkExpectation", (_request, answer) => {
    const { status, message } = noSuchExpectation;
    answer.writeHead(status, { "Content-Type": "application/json", Date: now().toUTCString() });
    answer.end(JSON.stringify({ message }));
  });
}

const noHttp: Refusal = { status: 400, message: "This is no HTTP request" };
const noTunnel: Refusal = { status: 405, message: "This is no proxy: CONNECT is not served here" };
const noSuchExpectation: Refusal = { status: 417, message: "Only 100-continue may be expected" };

function refuse(socket: Duplex, { status, message }: Refusal, at: Date): void {
  const body = JSON.stringify({ message });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${at.toUTCString()}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ];
  // A client that never closes its own side must not keep the connection.
  socket.end(lines.join("\r\n"), () => socket.destroy());
}
