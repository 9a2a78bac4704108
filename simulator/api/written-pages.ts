import type { z } from "@hono/zod-openapi";
import type { ListingPage } from "../account/listing.ts";
import { formatTimestamp, type RentedProxy } from "../account/order.ts";
import type { PageAnswer, ProxyWire } from "./schema/proxy.ts";

/** A page to answer. */
interface AskedPage extends ListingPage {
  /** Proxies of orders that were placed later are listed without their end. */
  endsToldUntilMs: number;
}

/** A page that was answered, with all that it says and that may have changed since. */
interface WrittenPage {
  readonly json: Buffer<ArrayBuffer>;
  readonly totalElements: number;
  readonly totalPages: number;
  readonly rows: readonly WrittenRow[];
}

/** What is readonly of a proxy stays as it was written. */
interface WrittenRow
  extends Pick<
    RentedProxy,
    "ipAddressId" | "ip" | "httpsPort" | "socks5Port" | "endMs" | "autoExtend" | "extendDays"
  > {
  readonly proxy: RentedProxy;
  readonly tellsEnd: boolean;
}

/** A listing of 100,000 proxies has 34 MB. */
const mostBytes = 50_000_000;

/**
 * The pages of one account's listings as they were last answered. Callers read the same pages again and again, and
 * most of a page's time is its JSON. Nobody has to say that something has changed: before a page is answered again,
 * it is compared with the proxies, which costs little.
 */
export class WrittenPages {
  readonly #pages = new Map<string, WrittenPage>();
  #bytes = 0;

  /** The answer as JSON. `place` says which page it is. */
  write(place: string, asked: AskedPage): Buffer<ArrayBuffer> {
    const known = this.#pages.get(place);
    if (known !== undefined && saysTheSame(known, asked)) return known.json;
    const page = writePage(asked);
    this.#keep(place, page, known);
    return page.json;
  }

  #keep(place: string, page: WrittenPage, replaced: WrittenPage | undefined): void {
    // A caller can ask for any number of pages behind the last one.
    if (page.rows.length === 0) return;
    this.#bytes += page.json.byteLength - (replaced?.json.byteLength ?? 0);
    if (this.#bytes > mostBytes) {
      this.#pages.clear();
      this.#bytes = page.json.byteLength;
    }
    this.#pages.set(place, page);
  }
}

function saysTheSame(page: WrittenPage, asked: AskedPage): boolean {
  return (
    page.totalElements === asked.totalElements &&
    page.totalPages === asked.totalPages &&
    page.rows.length === asked.proxies.length &&
    page.rows.every((row, index) => isStillTrue(row, asked.proxies[index], asked.endsToldUntilMs))
  );
}

/** Compares everything that a row says and that is not readonly. */
function isStillTrue(
  row: WrittenRow,
  proxy: RentedProxy | undefined,
  endsToldUntilMs: number,
): boolean {
  return (
    row.proxy === proxy &&
    row.ipAddressId === proxy.ipAddressId &&
    row.ip === proxy.ip &&
    row.httpsPort === proxy.httpsPort &&
    row.socks5Port === proxy.socks5Port &&
    row.endMs === proxy.endMs &&
    row.autoExtend === proxy.autoExtend &&
    row.extendDays === proxy.extendDays &&
    row.tellsEnd === tellsEnd(proxy, endsToldUntilMs)
  );
}

function tellsEnd({ order }: RentedProxy, endsToldUntilMs: number): boolean {
  return order.placedAtMs <= endsToldUntilMs;
}

function writePage({
  totalElements,
  totalPages,
  proxies,
  endsToldUntilMs,
}: AskedPage): WrittenPage {
  const rows = proxies.map((proxy): WrittenRow => {
    const { ipAddressId, ip, httpsPort, socks5Port, endMs, autoExtend, extendDays } = proxy;
    return {
      proxy,
      ipAddressId,
      ip,
      httpsPort,
      socks5Port,
      endMs,
      autoExtend,
      extendDays,
      tellsEnd: tellsEnd(proxy, endsToldUntilMs),
    };
  });
  const data = { totalElements, totalPages, content: rows.map(toProxyWire) };
  const answer: z.infer<typeof PageAnswer> = { success: true, data, error: null };
  return { json: Buffer.from(JSON.stringify(answer)), totalElements, totalPages, rows };
}

/** Of the proxy itself, only what is readonly may be told: everything else comes from the row. */
function toProxyWire({ proxy, ...row }: WrittenRow): z.infer<typeof ProxyWire> {
  return {
    ipAddressId: row.ipAddressId,
    ipAddressIp: row.ip,
    orderId: proxy.order.orderId,
    country: proxy.order.country,
    dateStart: formatTimestamp(proxy.startMs),
    ...(row.tellsEnd && { dateEnd: formatTimestamp(row.endMs) }),
    httpsPort: row.httpsPort,
    socks5Port: row.socks5Port,
    // The document shows the field, but neither its meaning nor how to set it.
    comment: "",
    authInfo: { login: proxy.login, password: proxy.password },
    extendInfo: { autoExtend: row.autoExtend, extendDays: row.extendDays },
  };
}
