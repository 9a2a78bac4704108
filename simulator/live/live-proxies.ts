import type { RentedProxy } from "../account/order.ts";
import type { Premises } from "../account/premises.ts";
import { PortPairs } from "./port-pairs.ts";
import { doorAddress, ProxyDoor } from "./proxy-door.ts";

/** Each has two listeners, and a process has only so many file descriptors. */
export const mostLiveProxies = 1000;

/** So often another pair of ports is tried; on any machine but a strange one the second is free. */
const mostAttempts = 200;

/** What a system says of a port that somebody else has, or that it keeps for itself. */
const takenCodes: readonly unknown[] = ["EADDRINUSE", "EACCES"];

/** The proxies of all accounts as real ones on this machine, each from its delivery to its end. */
export class LiveProxies implements Premises {
  readonly #onGuest: () => void;
  readonly #ports = new PortPairs();
  /** Delivered or not. */
  readonly #living = new Set<RentedProxy>();
  readonly #doors = new Map<RentedProxy, ProxyDoor>();
  /** One door opens after the other: the same orders get the same ports, and what was closed is free before somebody asks for it. */
  #opening: Promise<void> = Promise.resolve();
  #failure: unknown;
  #isStopped = false;

  /** `onGuest` is called before a connection is let in: by the service's time the proxy may have ended. */
  constructor(onGuest: () => void) {
    this.#onGuest = onGuest;
  }

  hasRoomFor(count: number): boolean {
    return this.#living.size + count <= mostLiveProxies;
  }

  assign(proxy: RentedProxy): void {
    this.#living.add(proxy);
    proxy.ip = doorAddress;
    this.#place(proxy);
  }

  open(proxy: RentedProxy): void {
    if (this.#isStopped) return;
    const { authType } = proxy.order.details;
    const door = new ProxyDoor(authType === "LOGIN" ? proxy : undefined, this.#onGuest);
    this.#doors.set(proxy, door);
    this.#opening = this.#opening.then(() => this.#listen(proxy, door));
  }

  close(proxy: RentedProxy): void {
    if (!this.#living.delete(proxy)) return;
    this.#ports.release(Number(proxy.httpsPort));
    this.#doors.get(proxy)?.close();
    this.#doors.delete(proxy);
  }

  /** When every proxy that is listed can be used; rejects when one never will. Listing them must follow at once. */
  async ready(): Promise<void> {
    for (let opening: unknown; opening !== this.#opening; ) {
      opening = this.#opening;
      await opening;
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  clear(): void {
    for (const door of this.#doors.values()) door.close();
    this.#doors.clear();
    this.#living.clear();
    this.#ports.clear();
    this.#failure = undefined;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.clear();
    await this.#opening;
  }

  #place(proxy: RentedProxy): void {
    const port = this.#ports.take(Number(proxy.httpsPort));
    proxy.httpsPort = String(port);
    proxy.socks5Port = String(port + 1);
  }

  async #listen(proxy: RentedProxy, door: ProxyDoor): Promise<void> {
    for (let attempt = 1; !door.isClosed; attempt += 1) {
      try {
        await door.listen(Number(proxy.httpsPort));
        return;
      } catch (error) {
        if (door.isClosed) return;
        if (!isTaken(error) || attempt === mostAttempts) {
          this.#failure = error;
          return;
        }
        this.#ports.release(Number(proxy.httpsPort));
        this.#place(proxy);
      }
    }
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && takenCodes.includes(error.code);
}
