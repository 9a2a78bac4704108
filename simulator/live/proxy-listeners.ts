import { once } from "node:events";
import type { Server, Socket } from "node:net";
import { createHttpProxy } from "./http-proxy.ts";
import type { Manners } from "./manners.ts";
import { createSocks5Proxy } from "./socks5-proxy.ts";

/** Only this machine can reach the proxies. */
export const proxyAddress = "127.0.0.1";

/** The two listeners of one proxy, and its connections. */
export class ProxyListeners {
  /** HTTP at the lower port, SOCKS5 at the next. */
  readonly #servers: readonly Server[];
  readonly #guests = new Set<Socket>();
  readonly #manners: Manners;
  #isOpening = false;
  #isClosed = false;

  /** `onGuest` is called for each connection before it is let in, and may close the proxy. */
  constructor(manners: Manners, onGuest: () => void) {
    this.#manners = manners;
    this.#servers = [createHttpProxy(manners), createSocks5Proxy(manners)];
    for (const server of this.#servers) {
      server.on("connection", (guest) => this.#receive(guest, onGuest));
      // If no descriptor is left, a connection is lost, but the simulator goes on.
      server.on("error", () => {});
    }
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Rejects with the system's error. Then it listens at neither port. If it was closed meanwhile, it closes again. */
  async listen(port: number): Promise<void> {
    this.#isOpening = true;
    try {
      for (const [index, server] of this.#servers.entries()) {
        server.listen(port + index, proxyAddress);
        await once(server, "listening");
      }
    } catch (error) {
      this.#stopListening();
      throw error;
    } finally {
      this.#isOpening = false;
    }
    if (this.#isClosed) this.#stopListening();
  }

  /** Ends all connections, and lets nobody in any more. */
  close(): void {
    this.#isClosed = true;
    // A server that is closed while it opens never says whether it listens. So the opening is awaited first.
    if (!this.#isOpening) this.#stopListening();
    for (const guest of this.#guests) guest.destroy();
  }

  #receive(guest: Socket, onGuest: () => void): void {
    guest.on("error", () => {});
    onGuest();
    if (this.#isClosed) {
      guest.destroy();
      return;
    }
    if (this.#manners.isDead()) {
      guest.resetAndDestroy();
      return;
    }
    this.#guests.add(guest);
    guest.once("close", () => this.#guests.delete(guest));
  }

  #stopListening(): void {
    for (const server of this.#servers) server.close();
  }
}
