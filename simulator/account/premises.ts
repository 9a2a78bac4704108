import type { ProxyFault } from "../live/proxy-fault.ts";
import type { RentedProxy } from "./order.ts";

/** Where the proxies of accounts run, if they are more than entries of a listing. */
export interface Premises {
  /** Whether there is room for this many more proxies, beside all that have not ended. */
  hasRoomFor(count: number): boolean;
  /** Gives a proxy its address and ports, before anybody sees it. */
  assign(proxy: RentedProxy): void;
  /** Call this when a proxy is listed. */
  open(proxy: RentedProxy): void;
  /** From now on a proxy has this fault; without one it works again. */
  setFault(proxy: RentedProxy, fault: ProxyFault | undefined): void;
  /** Call this when a proxy has ended. */
  close(proxy: RentedProxy): void;
  /** Call this when all accounts are gone. */
  clear(): void;
}
