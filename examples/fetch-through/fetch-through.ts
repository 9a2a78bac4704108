import type { UndiciProxy } from "pulumi-proxyrental";
import { fetch, ProxyAgent } from "undici";

/** Fetches a page through a proxy. `formatProxies(…, "undici")` makes such proxies. */
export async function fetchThrough(proxy: UndiciProxy, url: string): Promise<string> {
  const dispatcher = new ProxyAgent(proxy);
  try {
    const page = await fetch(url, { dispatcher });
    return `${page.status} ${await page.text()}`;
  } finally {
    await dispatcher.close();
  }
}
