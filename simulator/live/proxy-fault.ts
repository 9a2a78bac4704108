/** What is wrong with a live proxy, over HTTP and over SOCKS5. */
export type ProxyFault =
  /** Each connection is reset. */
  | { readonly kind: "dead" }
  /** Whoever is let in waits this long for the way to the target, by the machine's clock. */
  | { readonly kind: "slow"; readonly ms: number }
  /** No login is the right one. With authType IP one is asked for too. */
  | { readonly kind: "refuseLogin" }
  /** Targets see another address of this machine. */
  | {
      readonly kind: "wrongExit";
      /** One that this machine has: of 127.0.0.0/8 Linux and Windows have each. @default "127.0.0.2" */
      readonly address?: string | undefined;
    };
