import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/**
 * Stands before a service and keeps connections open, until the very moment at which an order is written to
 * one that was used before: then nobody knows whether the order arrived. On a connection of its own it goes
 * through.
 * @returns the address to call instead
 */
export async function openClosingDoor(baseUrl: string): Promise<string> {
  const target = new URL(baseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((caller) => {
    const service = connect(Number(target.port), target.hostname);
    for (const socket of [caller, service]) {
      sockets.add(socket);
      // Whoever is cut off hears of it by the connection alone.
      socket.on("error", () => undefined);
    }
    let used = false;
    caller.on("data", (bytes) => {
      const isOrder = /^POST \S+\/v1\/[^/]+\/order /.test(bytes.toString("latin1"));
      if (isOrder && used) caller.resetAndDestroy();
      else service.write(bytes);
      used = true;
    });
    service.on("data", (bytes) => caller.write(bytes));
    caller.on("close", () => service.destroy());
    service.on("close", () => caller.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
