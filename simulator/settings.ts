import { Big } from "big.js";
import type { Catalogue } from "./catalogue/catalogue.ts";
import { type CatalogueOptions, resolveCatalogue } from "./catalogue/catalogue-file.ts";
import {
  type OpenAnswers,
  type OpenQuestions,
  requireInteger,
  resolveOpenQuestions,
} from "./open-questions.ts";

export interface SimulatorOptions extends OpenAnswers {
  /** @default 0, any free one */
  port?: number | undefined;
  /** @default "127.0.0.1" */
  host?: string | undefined;
  /**
   * Opens the control API: clock, faults, accounts, requests and snapshots over HTTP, and a page for people. On the loopback
   * and any free port unless told otherwise. @default false
   */
  control?: boolean | { port?: number | undefined; host?: string | undefined } | undefined;
  /** @default "demo-key-…", made from the seed */
  apiKey?: string | undefined;
  /** The same seed and the same calls give the same ids, addresses, logins and order numbers. @default 1 */
  seed?: number | undefined;
  /** The balance at the start. @default "1000.00" */
  balance?: string | number | undefined;
  /** ISO code. @default "USD" */
  currency?: string | undefined;
  /**
   * The clock that the service's clock follows; `advance` moves it ahead of that. It must not go back. @default the
   * machine's
   */
  now?: (() => Date) | undefined;
  /** How long each answer is delayed. @default 0 */
  latencyMs?: number | undefined;
  /** What can be rented, and for how much, if it differs from the invented default. */
  catalogue?: CatalogueOptions | undefined;
  /**
   * Whether each listed proxy really works, at 127.0.0.1: HTTP at its `httpsPort`, SOCKS5 at its `socks5Port`.
   * @default false
   */
  live?: boolean | undefined;
  /**
   * Whether nothing else runs in this process. The simulator then answers faster: it puts quicker classes in place of the global
   * `Request` and `Response`, for as long as the process lives. @default false
   */
  ownsProcess?: boolean | undefined;
  /**
   * The folder of a recording that `doctor --record` has written. The simulator begins as that account was seen: answers to the
   * open questions, catalogue, prices, balance and orders. Options that are named beside it win, a preset too.
   * @default none
   */
  like?: string | undefined;
}

/** The options with every default filled in. */
export interface Settings extends OpenQuestions {
  port: number;
  host: string;
  control: { port: number; host: string } | undefined;
  apiKey: string | undefined;
  seed: number;
  balance: Big;
  currency: string;
  now: () => Date;
  latencyMs: number;
  catalogue: Catalogue;
  live: boolean;
  ownsProcess: boolean;
}

const loopback = "127.0.0.1";

/** Throws a TypeError that names the first wrong option. */
export function resolveSettings(options: SimulatorOptions): Settings {
  return {
    port: requireInteger("port", options.port ?? 0, 0),
    host: options.host ?? loopback,
    control: resolveControl(options.control),
    apiKey: options.apiKey,
    seed: requireInteger("seed", options.seed ?? 1, 0),
    balance: parseMoney("balance", options.balance ?? "1000.00"),
    currency: options.currency ?? "USD",
    now: options.now ?? (() => new Date()),
    latencyMs: requireInteger("latencyMs", options.latencyMs ?? 0, 0),
    catalogue: resolveCatalogue(options.catalogue ?? {}),
    live: options.live ?? false,
    ownsProcess: options.ownsProcess ?? false,
    ...resolveOpenQuestions(options),
  };
}

function resolveControl(control: SimulatorOptions["control"]): Settings["control"] {
  if (!control) return undefined;
  const { port = 0, host = loopback } = control === true ? {} : control;
  return { port: requireInteger("control.port", port, 0), host };
}

export function parseMoney(name: string, value: string | number): Big {
  try {
    return new Big(value).round(2);
  } catch {
    throw new TypeError(`${name} must be a decimal number, not "${value}"`);
  }
}
