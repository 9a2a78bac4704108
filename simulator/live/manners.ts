import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Login } from "./login.ts";
import type { ProxyFault } from "./proxy-fault.ts";
import { reach, type Target } from "./tunnel.ts";

/** How one live proxy treats its clients. It may change while the proxy listens. */
export interface Manners {
  /** Whether a connection is reset at once. */
  isDead(): boolean;
  /** The login that it asks for now; undefined if it asks for none. */
  login(): Login | undefined;
  /** Connects to a target for a client. */
  reach(target: Target, client: Socket): Promise<Socket>;
}

const otherAddress = "127.0.0.2";

/** The manners of a proxy with this login, and with the fault that it has at each moment. */
export function createManners(
  login: Login | undefined,
  currentFault: () => ProxyFault | undefined,
): Manners {
  return {
    isDead: () => currentFault()?.kind === "dead",
    login: () => (currentFault()?.kind === "refuseLogin" ? makeUnknownLogin() : login),
    async reach(target, client) {
      const fault = currentFault();
      if (fault?.kind === "slow") await wait(fault.ms, undefined, { ref: false });
      if (fault?.kind !== "wrongExit") return reach(target, client);
      return reach(target, client, fault.address ?? otherAddress);
    },
  };
}

/** Nobody was told it. */
function makeUnknownLogin(): Login {
  return { login: randomUUID(), password: randomUUID() };
}
