import type { ProxyType } from "../catalogue/catalogue.ts";
import { mix, scatter } from "../scatter.ts";

/** Networks for documentation: a test never prints somebody's address. */
const documentationNetworks = ["192.0.2", "198.51.100", "203.0.113"];
const hostsPerNetwork = 254;
const addressCount = documentationNetworks.length * hostsPerNetwork;

const firstPort = 10_000;
const portPairs = 25_000;

const plainCharacters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** Each of these breaks a URL that was put together without percent-encoding. */
const awkwardCharacters = "@:/?#%&+=!";

export interface Address {
  ip: string;
  httpsPort: string;
  socks5Port: string;
}

export interface Credentials {
  login: string;
  password: string;
}

/** Makes everything that looks random from the seed and a running number, and from nothing else. */
export class Identities {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  apiKey(): string {
    return `demo-key-${this.#hash("key", 0).toString(16).padStart(8, "0")}`;
  }

  orderId(orderIndex: number): string {
    return String(4_000_000 + (this.#hash("order", 0) % 900_000) + orderIndex);
  }

  /** The number for the buyer, if it is not the one in the listing. */
  separateOrderNumber(orderIndex: number): string {
    return `N${this.#hash("number", 0) % 9000}-${orderIndex + 1}`;
  }

  ipAddressId(proxyIndex: number): string {
    return String(50_000_000 + (this.#hash("proxy", 0) % 9_000_000) + proxyIndex);
  }

  /** The id of a proxy whose id the service has changed. The range is not that of the first ids. */
  laterIpAddressId(changeIndex: number): string {
    return String(70_000_000 + (this.#hash("later", 0) % 9_000_000) + changeIndex);
  }

  /** No two proxies share address and port: each round through the hosts shifts the port. */
  address(
    proxyType: ProxyType,
    orderIndex: number,
    indexInOrder: number,
    proxyIndex: number,
  ): Address {
    const walk = (this.#hash("start", 0) % addressCount) + proxyIndex;
    const host = walk % addressCount;
    const round = Math.floor(walk / addressCount);
    const port = firstPort + 2 * ((this.#hash("port", host) + round) % portPairs);
    const network = documentationNetworks[Math.floor(host / hostsPerNetwork)];
    const ip =
      proxyType === "IPv6"
        ? this.#ipv6(orderIndex, indexInOrder)
        : `${network}.${(host % hostsPerNetwork) + 1}`;
    return { ip, httpsPort: String(port), socks5Port: String(port + 1) };
  }

  credentials(proxyIndex: number): Credentials {
    const awkwardLogin = proxyIndex % 5 === 4;
    const awkwardPassword = proxyIndex % 3 === 1;
    const login = `u${this.#text("login", proxyIndex, 7, plainCharacters)}`;
    const password = this.#text("password", proxyIndex, 12, plainCharacters);
    return {
      login: awkwardLogin ? `${login}@team` : login,
      password: awkwardPassword
        ? password.slice(0, 6) +
          this.#text("awkward", proxyIndex, 3, awkwardCharacters) +
          password.slice(6)
        : password,
    };
  }

  #ipv6(orderIndex: number, indexInOrder: number): string {
    const site = ((this.#hash("site", 0) % 0xffff) + 1).toString(16);
    const subnet = ((orderIndex % 0xffff) + 1).toString(16);
    return `2001:db8:${site}:${subnet}::${(indexInOrder + 1).toString(16)}`;
  }

  #text(purpose: string, index: number, length: number, characters: string): string {
    let text = "";
    let state = this.#hash(purpose, index);
    for (let position = 0; position < length; position += 1) {
      text += characters[state % characters.length];
      state = mix(state, position + 1);
    }
    return text;
  }

  #hash(purpose: string, index: number): number {
    return scatter(this.#seed, purpose, index);
  }
}
