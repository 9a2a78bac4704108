import type { RentedProxy } from "../account/order.ts";
import type { Premises } from "../account/premises.ts";
import { createManners } from "./manners.ts";
import { PortPairs } from "./port-pairs.ts";
import type { ProxyFault } from "./proxy-fault.ts";
import { ProxyListeners, proxyAddress } from "./proxy-listeners.ts";

/** Each has two listeners, and a process has a limited number of file descriptors. */
export const mostLiveProxies = 1000;

/** How often another pair of ports is tried. On most machines the second is free. */
const mostAttempts = 200;

/** The error codes of a port that somebody else has, or that the system reserves. */
const takenCodes: readonly unknown[] = ["EADDRINUSE", "EACCES"];

/** The proxies of all accounts as real ones on this machine, each from its delivery to its end. */
export class LiveProxies implements Premises {
  readonly #onGuest: () => void;
  readonly #ports = new PortPairs();
  /** All proxies that have not ended, delivered or not. */
  readonly #living = new Set<RentedProxy>();
  readonly #open = new Map<RentedProxy, ProxyListeners>();
  /** Each goes with its proxy. */
  readonly #faults = new WeakMap<RentedProxy, ProxyFault>();
  /**
   * One proxy opens after the other. So the same orders get the same ports, and a closed port is free before somebody
   * asks for it.
   */
  #opening: Promise<void> = Promise.resolve();
  #failure: unknown;
  #isStopped = false;

  /** `onGuest` is called before a connection is let in, because by the service's time the proxy may have ended. */
  constructor(onGuest: () => void) {
    this.#onGuest = onGuest;
  }

  hasRoomFor(count: number): boolean {
    return this.#living.size + count <= mostLiveProxies;
  }

  assign(proxy: RentedProxy): void {
    this.#living.add(proxy);
    proxy.ip = proxyAddress;
    this.#place(proxy);
  }

  open(proxy: RentedProxy): void {
    if (this.#isStopped) return;
    const { authType } = proxy.order.details;
    const manners = createManners(authType === "LOGIN" ? proxy : undefined, () =>
      this.#faults.get(proxy),
    );
    const listeners = new ProxyListeners(manners, this.#onGuest);
    this.#open.set(proxy, listeners);
    this.#opening = this.#opening.then(() => this.#listen(proxy, listeners));
  }

  setFault(proxy: RentedProxy, fault: ProxyFault | undefined): void {
    if (fault === undefined) this.#faults.delete(proxy);
    else this.#faults.set(proxy, fault);
  }

  close(proxy: RentedProxy): void {
    if (!this.#living.delete(proxy)) return;
    this.#ports.release(Number(proxy.httpsPort));
    this.#open.get(proxy)?.close();
    this.#open.delete(proxy);
  }

  /** Resolves when every listed proxy can be used; rejects if one never will. List them right after this. */
  async ready(): Promise<void> {
    for (let opening: unknown; opening !== this.#opening; ) {
      opening = this.#opening;
      await opening;
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  clear(): void {
    for (const listeners of this.#open.values()) listeners.close();
    this.#open.clear();
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

  async #listen(proxy: RentedProxy, listeners: ProxyListeners): Promise<void> {
    for (let attempt = 1; !listeners.isClosed; attempt += 1) {
      try {
        await listeners.listen(Number(proxy.httpsPort));
        return;
      } catch (error) {
        if (listeners.isClosed) return;
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
