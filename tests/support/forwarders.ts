import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";

/** The logins and targets that a proxy has received. */
export interface Forwarder {
  port: number;
  /** `login:password` of each requested tunnel, also of refused ones. If there was no login, the text is empty. */
  logins: string[];
  /** The target of each tunnel that was opened. */
  tunnels: string[];
}

/** The login that a proxy asks for. Undefined if it asks for none. */
type Wanted = { login: string; password: string } | undefined;

/** An HTTP proxy. If the login is right it opens a tunnel (CONNECT), otherwise it answers 407. */
export async function startHttpForwarder(wanted: Wanted, host = "127.0.0.1"): Promise<Forwarder> {
  const server = createHttpServer((_request, response) => response.writeHead(405).end());
  const seen: Omit<Forwarder, "port"> = { logins: [], tunnels: [] };
  server.on("connect", (request, socket) => {
    socket.on("error", () => socket.destroy());
    const [, basic = ""] = /^Basic (.+)$/.exec(request.headers["proxy-authorization"] ?? "") ?? [];
    seen.logins.push(Buffer.from(basic, "base64").toString());
    if (!isWelcome(seen, wanted)) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const target = request.url ?? "";
    seen.tunnels.push(target);
    join(socket, Number(new URL(`http://${target}`).port), () =>
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n"),
    );
  });
  return { port: await listen(server, host), ...seen };
}

/** A SOCKS5 proxy that does the same, as RFC 1928 and RFC 1929 say. */
export async function startSocksForwarder(wanted: Wanted): Promise<Forwarder> {
  const seen: Omit<Forwarder, "port"> = { logins: [], tunnels: [] };
  const server = createServer(async (socket) => {
    socket.on("error", () => socket.destroy());
    const greeting = await once(socket);
    const offersLogin = greeting.subarray(2).includes(2);
    socket.write(Buffer.from([5, offersLogin ? 2 : 0]));
    seen.logins.push(offersLogin ? readSocksLogin(await once(socket)) : "");
    const welcome = isWelcome(seen, wanted);
    if (offersLogin) socket.write(Buffer.from([1, welcome ? 0 : 1]));
    if (!welcome) {
      socket.end();
      return;
    }
    const request = await once(socket);
    const port = request.readUInt16BE(request.length - 2);
    seen.tunnels.push(String(port));
    join(socket, port, () => socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0])));
  });
  return { port: await listen(server, "127.0.0.1"), ...seen };
}

/** Starts a web page with the given text. */
export async function startPage(text: string): Promise<string> {
  const server = createHttpServer((_request, response) => response.end(text));
  return `http://127.0.0.1:${await listen(server, "127.0.0.1")}/`;
}

function isWelcome({ logins }: Pick<Forwarder, "logins">, wanted: Wanted): boolean {
  return logins.at(-1) === (wanted ? `${wanted.login}:${wanted.password}` : "");
}

function readSocksLogin(message: Buffer): string {
  const passwordAt = 2 + message.readUInt8(1);
  const login = message.subarray(2, passwordAt);
  return `${login}:${message.subarray(passwordAt + 1)}`;
}

/** Connects each tunnel to this machine, with any name that was asked for. */
function join(socket: Duplex, port: number, onOpen: () => void): void {
  const upstream = connect(port, "127.0.0.1", () => {
    onOpen();
    upstream.pipe(socket).pipe(upstream);
  });
  upstream.on("error", () => socket.destroy());
  socket.on("close", () => upstream.destroy());
}

function once(socket: Socket): Promise<Buffer> {
  return new Promise((resolve) => socket.once("data", resolve));
}

async function listen(server: Server, host: string): Promise<number> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}
