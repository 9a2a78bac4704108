import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { pipeline } from "node:stream/promises";

/** Where a client of a proxy wants to go. */
export interface Target {
  /** A name or an address, without brackets. */
  host: string;
  port: number;
}

/** `host:port` or `[IPv6 address]:port`; the port may be missing if there is a default. */
export function parseTarget(authority: string, defaultPort?: number): Target | undefined {
  const [, address, name, digits] =
    /^(?:\[([\da-f:.]+)\]|([^\s:/@[\]]+))(?::(\d{1,5}))?$/i.exec(authority) ?? [];
  const host = address ?? name;
  const port = digits === undefined ? defaultPort : Number(digits);
  return host === undefined || port === undefined ? undefined : { host, port };
}

const connectMs = 10_000;

/**
 * Connects to a target. Rejects if that fails or takes too long, or if the client has left.
 * @param localAddress the address that the target sees. @default what the system chooses
 */
export async function reach(
  { host, port }: Target,
  client: Socket,
  localAddress?: string,
): Promise<Socket> {
  // Node would take an empty name for this machine's.
  if (host === "") throw new Error("A name of no letters is no host");
  // By now it may have left: then nobody would say so below.
  if (client.destroyed) throw new Error("The client has left");
  const upstream = connect({
    ...{ host, port, allowHalfOpen: true },
    ...(localAddress !== undefined && { localAddress }),
  });
  // It is destroyed by then, and the waiting side is told in another way.
  upstream.on("error", () => {});
  const leave = (): void => void upstream.destroy(new Error("The client has left"));
  const giveUp = (): void => void upstream.destroy(new Error(`No answer in ${connectMs} ms`));
  client.once("close", leave);
  upstream.setTimeout(connectMs, giveUp);
  try {
    await once(upstream, "connect");
  } finally {
    client.off("close", leave);
    upstream.off("timeout", giveUp);
    upstream.setTimeout(0);
  }
  return upstream;
}

/**
 * Carries bytes both ways until both sides have ended, or one of them breaks. A side may end its own direction and go
 * on listening. Nobody can tell that from having left. So after `halfClosedMs` of silence both are closed.
 */
export async function join(client: Socket, upstream: Socket, halfClosedMs = 30_000): Promise<void> {
  const close = (): void => {
    client.destroy();
    upstream.destroy();
  };
  const carry = async (from: Socket, to: Socket): Promise<void> => {
    await pipeline(from, to);
    to.setTimeout(halfClosedMs, close);
  };
  try {
    await Promise.all([carry(client, upstream), carry(upstream, client)]);
  } catch {
    // Either side may have broken the tunnel. The rest is closed.
    close();
  }
}
