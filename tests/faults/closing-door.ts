import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/**
 * Starts a relay in front of a service. If an order is written to a connection that was used before, the relay closes
 * the connection, and nobody knows whether the order arrived. An order on a new connection goes through.
 * @returns the address to call instead
 */
export async function openClosingDoor(baseUrl: string): Promise<string> {
  const target = new URL(baseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((caller) => {
    const service = connect(Number(target.port), target.hostname);
    for (const socket of [caller, service]) {
      sockets.add(socket);
      // Without a listener, a connection that is cut off would end the process.
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
