import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { dial, type ListedProxy, rentOne, startBare } from "./live-guests.ts";

const greeting = Buffer.from([5, 2, 0, 2]);
const succeeded = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0];

function sized(text: string): Buffer {
  return Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)]);
}

function formLogin({ login, password }: { login: string; password: string }): Buffer {
  return Buffer.concat([Buffer.from([1]), sized(login), sized(password)]);
}

/** A request with an address in bytes. The command is CONNECT unless another one is given. */
function formRequest(addressType: number, address: Buffer, port: number, command = 1): Buffer {
  const tail = Buffer.alloc(2);
  tail.writeUInt16BE(port);
  return Buffer.concat([Buffer.from([5, command, 0, addressType]), address, tail]);
}

const loopback = Buffer.from([127, 0, 0, 1]);
const loopback6 = Buffer.from([...Array<number>(15).fill(0), 1]);

async function hearBytes(socket: Socket): Promise<number[]> {
  return [...Buffer.concat(await socket.toArray())];
}

/** A server that sends all data back. */
const startMirror = () => startBare((socket) => void socket.pipe(socket));

/** Sends all messages of a client at once, and returns all data that comes back. */
async function say(proxy: ListedProxy, ...messages: Buffer[]): Promise<number[]> {
  const socket = await dial(proxy.socks5Port);
  socket.end(Buffer.concat(messages));
  return hearBytes(socket);
}

describe("SOCKS5 accepts its messages", () => {
  test("in one piece, with the target's data after them", async () => {
    const proxy = await rentOne();
    const { port } = await startMirror();
    const answer = await say(
      proxy,
      greeting,
      formLogin(proxy.authInfo),
      formRequest(1, loopback, port),
      Buffer.from("hello"),
    );
    expect(answer).toEqual([...[5, 2], ...[1, 0], ...succeeded, ...Buffer.from("hello")]);
  });

  test("byte by byte", async () => {
    const proxy = await rentOne();
    const { port } = await startMirror();
    const socket = await dial(proxy.socks5Port);
    socket.setNoDelay();
    const heard = hearBytes(socket);
    const messages = [greeting, formLogin(proxy.authInfo), formRequest(1, loopback, port)];
    for (const byte of Buffer.concat([...messages, Buffer.from("hello")])) {
      socket.write(Buffer.from([byte]));
      await turn();
    }
    socket.end();
    expect(await heard).toEqual([...[5, 2], ...[1, 0], ...succeeded, ...Buffer.from("hello")]);
  });

  test.each([
    ["an IPv4 address", "127.0.0.1", 1, loopback],
    ["an IPv6 address", "::1", 4, loopback6],
    ["a name", "127.0.0.1", 3, sized("localhost")],
    ["an address written as a name", "127.0.0.1", 3, sized("127.0.0.1")],
  ])("to %s", async (_name, host, addressType, address) => {
    const proxy = await rentOne();
    const { port } = await startBare((socket) => void socket.end("here"), { host });
    const request = formRequest(addressType, address, port);
    expect((await say(proxy, greeting, formLogin(proxy.authInfo), request)).slice(4)).toEqual([
      ...succeeded,
      ...Buffer.from("here"),
    ]);
  });
});

describe("SOCKS5 refuses", () => {
  const somewhere = formRequest(1, loopback, 1);

  test("a client that offers no login if one is required", async () => {
    const proxy = await rentOne();
    expect(await say(proxy, Buffer.from([5, 1, 0]), somewhere)).toEqual([5, 0xff]);
    expect(await say(proxy, Buffer.from([5, 0]), somewhere)).toEqual([5, 0xff]);
  });

  test.each([
    ["another password", { password: "guess" }],
    ["another login", { login: "guess" }],
    ["an empty password", { password: "" }],
    ["an empty login", { login: "" }],
  ])("%s", async (_name, wrong) => {
    const proxy = await rentOne();
    const login = formLogin({ ...proxy.authInfo, ...wrong });
    expect(await say(proxy, greeting, login, somewhere)).toEqual([...[5, 2], ...[1, 1]]);
  });

  test.each([
    ["BIND", formRequest(1, loopback, 1, 2), 7],
    ["UDP ASSOCIATE", formRequest(3, sized("localhost"), 1, 3), 7],
    ["an unknown address type", formRequest(2, loopback, 1), 8],
    ["a target where nobody listens", somewhere, 5],
    ["an unknown name", formRequest(3, sized("nowhere.invalid"), 80), 4],
    ["an empty name", formRequest(3, sized(""), 80), 4],
  ])("%s", async (_name, request, reply) => {
    const proxy = await rentOne();
    const answer = await say(proxy, greeting, formLogin(proxy.authInfo), request);
    expect(answer).toEqual([...[5, 2], ...[1, 0], ...[5, reply], ...succeeded.slice(2)]);
  });

  test.each([
    ["HTTP", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
    ["SOCKS4", Buffer.from([4, 1, 0, 80, 127, 0, 0, 1, 0])],
    ["half a greeting", Buffer.from([5, 3, 0])],
    ["nothing", Buffer.alloc(0)],
  ])("%s without an answer", async (_name, message) => {
    expect(await say(await rentOne(), message)).toEqual([]);
  });
});

describe("SOCKS5 with authType IP", () => {
  const open = { authType: "IP", authIp: "203.0.113.7" };

  test("requires no login", async () => {
    const proxy = await rentOne(open);
    const { port } = await startBare((socket) => void socket.end("here"));
    const request = formRequest(1, loopback, port);
    const here = [...succeeded, ...Buffer.from("here")];
    expect(await say(proxy, Buffer.from([5, 1, 0]), request)).toEqual([5, 0, ...here]);
  });

  test("accepts any login that a client insists on", async () => {
    const proxy = await rentOne(open);
    const { port } = await startBare((socket) => void socket.end("here"));
    const login = formLogin({ login: "any", password: "" });
    const request = formRequest(1, loopback, port);
    const here = [...succeeded, ...Buffer.from("here")];
    const answer = await say(proxy, Buffer.from([5, 1, 2]), login, request);
    expect(answer).toEqual([...[5, 2], ...[1, 0], ...here]);
  });
});
