import type { RentedProxy } from "./order.ts";

/** Where the proxies of accounts stand, if they are more than entries of a listing. */
export interface Premises {
  /** Whether so many more proxies have a place, beside all that have not ended. */
  hasRoomFor(count: number): boolean;
  /** Gives a proxy its address and ports, before anybody sees it. */
  assign(proxy: RentedProxy): void;
  /** It is in the listing from now on. */
  open(proxy: RentedProxy): void;
  /** It has ended. */
  close(proxy: RentedProxy): void;
  /** All accounts are gone. */
  clear(): void;
}
