import { once } from "node:events";
import { expect, test } from "vitest";
import { join, reach } from "../../simulator/live/tunnel.ts";
import { dial, hear, openTunnel, rentOne, soon, startBare, toBasic } from "./live-guests.ts";

/** The open connections of this process, which has clients, proxies and targets. */
const countConnections = () =>
  process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;

test("a client that leaves closes its connection to a silent target", async () => {
  const proxy = await rentOne();
  const target = await startBare();
  const tunnel = await openTunnel(proxy, target.port);
  const plain = await dial(proxy.httpsPort);
  plain.write(
    `GET http://127.0.0.1:${target.port}/ HTTP/1.1\r\nHost: a\r\nProxy-Authorization: ${toBasic(proxy)}\r\n\r\n`,
  );
  await expect.poll(() => target.guests.size, soon).toBe(2);
  tunnel.destroy();
  plain.destroy();
  await expect.poll(() => target.guests.size, soon).toBe(0);
});

test("a target that breaks off ends its client's tunnel", async () => {
  const proxy = await rentOne();
  const target = await startBare();
  const tunnel = await openTunnel(proxy, target.port);
  await expect.poll(() => target.guests.size, soon).toBe(1);
  for (const guest of target.guests) guest.resetAndDestroy();
  expect(await hear(tunnel)).toBe("");
});

test("a tunnel with one side ended is closed if the other side sends nothing", async () => {
  // The client has left by then. The target neither answers nor ends.
  const target = await startBare(undefined, { allowHalfOpen: true });
  const entrance = await startBare(
    async (guest) => {
      await join(guest, await reach({ host: "127.0.0.1", port: target.port }, guest), 20);
    },
    { allowHalfOpen: true },
  );
  const before = countConnections();
  const client = await dial(entrance.port);
  await expect.poll(() => target.guests.size, soon).toBe(1);
  client.end().resume();
  await once(client, "close");
  await expect.poll(() => entrance.guests.size, soon).toBe(0);
  for (const guest of target.guests) guest.destroy();
  await expect.poll(countConnections, soon).toBeLessThanOrEqual(before);
});

test("no connection is made for a client that has left meanwhile", async () => {
  const target = await startBare();
  const entrance = await startBare();
  const client = await dial(entrance.port);
  const reached = reach({ host: "127.0.0.1", port: target.port }, client);
  client.destroy();
  await expect(reached).rejects.toThrow("The client has left");
  await expect.poll(() => target.guests.size, soon).toBe(0);
});

test("thousands of short connections, whole and broken at any point, leave none open", async () => {
  const proxy = await rentOne();
  const target = await startBare((socket) => void socket.pipe(socket));
  const before = countConnections();
  const connectTo = `CONNECT 127.0.0.1:${target.port} HTTP/1.1\r\nProxy-Authorization: ${toBasic(proxy)}\r\n\r\nhello`;
  const { login, password } = proxy.authInfo;
  const socks = Buffer.concat([
    Buffer.from([5, 1, 2, 1, Buffer.byteLength(login)]),
    Buffer.from(login),
    Buffer.from([Buffer.byteLength(password)]),
    Buffer.from(password),
    Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, target.port >> 8, target.port & 0xff]),
    Buffer.from("hello"),
  ]);
  let whole = 0;
  for (let round = 0; round < 40; round += 1) {
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const [port, message] =
          index % 2 === 0 ? [proxy.httpsPort, Buffer.from(connectTo)] : [proxy.socks5Port, socks];
        const socket = await dial(port);
        if (index < 25) {
          socket.end(message);
          if ((await hear(socket)).endsWith("hello")) whole += 1;
        } else {
          socket.write(message.subarray(0, 1 + ((round * 50 + index) % message.length)));
          if (index % 3 === 0) socket.resetAndDestroy();
          else socket.destroy();
        }
      }),
    );
  }
  expect(whole).toBe(1000);
  await expect.poll(countConnections, soon).toBeLessThanOrEqual(before);
  expect(target.guests.size).toBe(0);
}, 60_000);
