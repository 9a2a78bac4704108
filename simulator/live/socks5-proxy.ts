import { createServer, type Server, type Socket } from "node:net";
import { ExactReader } from "./exact-reader.ts";
import { endWith } from "./last-words.ts";
import type { Login } from "./login.ts";
import type { Manners } from "./manners.ts";
import { type Outcome, replies, shakeHands } from "./socks5-handshake.ts";
import { join, type Target } from "./tunnel.ts";

const handshakeMs = 30_000;

/** A SOCKS5 proxy: CONNECT to addresses and names, with or without a login. */
export function createSocks5Proxy(manners: Manners): Server {
  return createServer({ allowHalfOpen: true }, (client) => void serve(client, manners));
}

async function serve(client: Socket, { login, reach }: Manners): Promise<void> {
  try {
    const outcome = await receive(client, login());
    if ("target" in outcome) await openTunnel(client, outcome.target, reach);
    else endWith(client, outcome.lastWords);
  } catch {
    // This client speaks another protocol, or has left. It would not understand an answer.
    client.destroy();
  }
}

async function receive(client: Socket, login: Login | undefined): Promise<Outcome> {
  const reader = new ExactReader(client);
  const giveUp = (): void => void client.destroy();
  client.setTimeout(handshakeMs, giveUp);
  try {
    return await shakeHands(reader, (answer) => void client.write(answer), login);
  } finally {
    reader.release();
    client.off("timeout", giveUp);
    client.setTimeout(0);
  }
}

async function openTunnel(client: Socket, target: Target, reach: Manners["reach"]): Promise<void> {
  try {
    const upstream = await reach(target, client);
    client.write(replies.succeeded);
    await join(client, upstream);
  } catch (error) {
    endWith(client, isRefusal(error) ? replies.connectionRefused : replies.hostUnreachable);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
}
