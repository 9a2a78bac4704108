import { SocksClient } from "socks";
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from "undici";
import type { Credential } from "../../provider/client/index.ts";
import type { ProxyScheme } from "../../provider/core/proxies/proxy-url.ts";

/** One way through a proxy. */
export interface ProxyWay {
  scheme: ProxyScheme;
  /** The proxy's address, an IPv6 one without brackets. */
  host: string;
  port: number;
  /** Undefined if the service lists none (authType IP). */
  credential: Credential | undefined;
}

/**
 * Sends requests through a proxy. The login goes as it is, in a header or in the messages of SOCKS5, so that none of its
 * characters needs to be encoded for a URL, and no error can repeat one.
 */
export function openWay(way: ProxyWay, timeoutMs: number): Dispatcher {
  return way.scheme === "http" ? openHttp(way, timeoutMs) : openSocks(way, timeoutMs);
}

/** As browsers and curl do: a plain request for an http URL, since many proxies open tunnels to port 443 only. */
function openHttp({ host, port, credential }: ProxyWay, timeout: number): Dispatcher {
  const address = host.includes(":") ? `[${host}]` : host;
  return new ProxyAgent({
    uri: `http://${address}:${port}`,
    proxyTunnel: false,
    ...(credential && { token: writeBasic(credential) }),
    proxyTls: { timeout },
    requestTls: { timeout },
  });
}

function writeBasic({ login, password }: Credential): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;
}

/** Not undici's own agent for SOCKS5: it waits five seconds for a login, whatever it is told. */
function openSocks(way: ProxyWay, timeout: number): Dispatcher {
  const secure = buildConnector({ timeout });
  return new Agent({
    connect: (target, callback) => {
      openTunnel(way, target, timeout).then(
        (socket) => {
          if (target.protocol === "https:") secure({ ...target, httpSocket: socket }, callback);
          else callback(null, socket);
        },
        (error: Error) => callback(error, null),
      );
    },
  });
}

async function openTunnel(
  { host, port, credential }: ProxyWay,
  target: buildConnector.Options,
  timeout: number,
) {
  const { socket } = await SocksClient.createConnection({
    command: "connect",
    proxy: {
      ...{ type: 5, host, port },
      ...(credential && { userId: credential.login, password: credential.password }),
    },
    destination: {
      host: target.hostname.replace(/^\[|\]$/g, ""),
      port: Number(target.port) || (target.protocol === "https:" ? 443 : 80),
    },
    timeout,
  });
  // Whoever uses it is told by its end.
  socket.on("error", () => {});
  return socket;
}
