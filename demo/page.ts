import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A local web page that says where the call came from. */
export interface DemoPage {
  url: string;
  close(): void;
}

export async function startPage(): Promise<DemoPage> {
  const server = createServer(({ socket, url }, response) => {
    response.end(`${url} seen by ${socket.remoteAddress}, port ${socket.remotePort}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/prices`, close: () => void server.close() };
}
