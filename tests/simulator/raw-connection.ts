import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";

/** Opens a bare connection. Nothing is sent on it yet. */
export async function openConnection(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  return socket;
}

/** Sends bytes and returns all data until the other side closes. A reset is an end, too. */
export async function sendBytes(baseUrl: string, bytes: string | Buffer): Promise<string> {
  const socket = await openConnection(baseUrl);
  socket.write(bytes);
  return readToEnd(socket);
}

export async function readToEnd(socket: Socket): Promise<string> {
  let received = "";
  socket.on("data", (chunk) => {
    received += String(chunk);
  });
  await text(socket).catch(() => "");
  return received;
}

/** The text of a request. Its length is added unless a header gives one. The connection ends with the answer. */
export function writeRequest(line: string, headers: readonly string[] = [], body = ""): string {
  const isMeasured = headers.some((header) => /^(content-length|transfer-encoding):/i.test(header));
  const length = body === "" || isMeasured ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [`${line} HTTP/1.1`, "Host: localhost", "Connection: close", ...length, ...headers];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

export const json = "Content-Type: application/json";

/** The status of each answer in the received text. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
