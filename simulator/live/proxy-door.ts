import { once } from "node:events";
import type { Server, Socket } from "node:net";
import { createHttpProxy } from "./http-proxy.ts";
import type { Login } from "./login.ts";
import { createSocks5Proxy } from "./socks5-proxy.ts";

/** Nobody else's machine is to find a proxy here. */
export const doorAddress = "127.0.0.1";

/** The two listeners of one proxy, and whoever has come in. */
export class ProxyDoor {
  /** HTTP at the lower port, SOCKS5 at the next. */
  readonly #servers: readonly Server[];
  readonly #guests = new Set<Socket>();
  #isOpening = false;
  #isClosed = false;

  /** `onGuest` is called for each connection before it is let in, and may close the door. */
  constructor(login: Login | undefined, onGuest: () => void) {
    this.#servers = [createHttpProxy(login), createSocks5Proxy(login)];
    for (const server of this.#servers) {
      server.on("connection", (guest) => this.#receive(guest, onGuest));
      // With no descriptor left a connection is lost, and the simulator need not be.
      server.on("error", () => {});
    }
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Rejects with the system's error, and then neither port is listened at. One that was closed meanwhile closes again. */
  async listen(port: number): Promise<void> {
    this.#isOpening = true;
    try {
      for (const [index, server] of this.#servers.entries()) {
        server.listen(port + index, doorAddress);
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

  /** Nobody comes in any more, and whoever is in has to leave. */
  close(): void {
    this.#isClosed = true;
    // A server that is closed on its way never says that it listens, nor that it does not: it arrives first.
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
    this.#guests.add(guest);
    guest.once("close", () => this.#guests.delete(guest));
  }

  #stopListening(): void {
    for (const server of this.#servers) server.close();
  }
}
