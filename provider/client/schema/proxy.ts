import { z } from "zod";
import type { Credential, ProxyType, RentedProxy } from "../records.ts";
import { text } from "./wire.ts";

const optionalText = text
  .nullish()
  .transform((value) =>
    value === null || value === undefined || value === "" ? undefined : value,
  );

/** ISO 8601 with offset, as the service's document says. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)$/i;

/** No proxy is older: the year one and 1970 are what some programs write where there is no date. */
const EARLIEST_MS = Date.UTC(2000, 0, 2);

/**
 * A text that is no such moment counts as not told. Without an offset it would mean another moment on each machine,
 * and starts and ends decide about money. The rest of the record stays readable.
 */
const moment = z
  .unknown()
  .transform((value) =>
    typeof value === "string" && TIMESTAMP.test(value) && Date.parse(value) >= EARLIEST_MS
      ? value
      : undefined,
  );

/**
 * One record of endpoint 12. Only what tells proxies apart is required. The rest may come late, as `dateEnd` does
 * right after a purchase, and must not make the whole page unreadable.
 */
const proxyWire = z
  .object({
    ipAddressId: text,
    ipAddressIp: text,
    orderId: text,
    country: z.string(),
    dateStart: moment.optional(),
    dateEnd: moment.optional(),
    httpsPort: optionalText,
    socks5Port: optionalText,
    comment: optionalText,
    // It may be empty where a proxy authenticates by IP.
    authInfo: z.object({ login: text, password: text }).nullish().catch(undefined),
    extendInfo: z.object({ autoExtend: z.boolean(), extendDays: z.number().nullish() }).nullish(),
  })
  .transform(
    ({ authInfo, extendInfo, ...record }): ProxyRecord => ({
      ...record,
      credential: authInfo ?? undefined,
      extendInfo: {
        autoExtend: extendInfo?.autoExtend ?? false,
        extendDays: extendInfo?.extendDays ?? 0,
      },
    }),
  );

/** Answer of endpoint 12. */
export const proxyPageWire = z
  .object({
    data: z.object({
      totalElements: z.number().int().nonnegative(),
      totalPages: z.number().int().nonnegative(),
      content: z.array(proxyWire),
    }),
  })
  .transform((answer) => answer.data);

/** Which page of the listing to read. */
export interface ProxyPageRequest {
  proxyType: ProxyType;
  /** Zero-based. */
  page: number;
  size: number;
}

/** A proxy with its login: never printed, never put into a plain output. */
export interface ProxyRecord extends RentedProxy {
  credential?: Credential | undefined;
}

/** One page of the listing. */
export type ProxyPage = z.infer<typeof proxyPageWire>;
