import type { Client } from "../client/index.ts";

/** What the lifecycle needs of the service: the client's methods, less what belongs to the connection. */
export type ProxyService = Omit<Client, "close">;

/** Time as it passes here. The service's own clock comes with its answers and decides what has expired. */
export interface Clock {
  now(): Date;
  /** Milliseconds that never jump, for ages and deadlines. */
  elapsedMs(): number;
  sleep(ms: number): Promise<void>;
}

/** Where the lines go that a person reads beside the engine's own output. Never given a key or password. */
export interface Log {
  info(message: string): void;
  /** How far something has come: of interest until the next line, and not afterwards. */
  progress(message: string): void;
  warn(message: string): void;
}
