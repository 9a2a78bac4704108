import type { UndiciProxy } from "pulumi-proxyrental";
import { fetch, ProxyAgent } from "undici";

/** A page as it is seen through a proxy, which `formatProxies(…, "undici")` gives. */
export async function fetchThrough(proxy: UndiciProxy, url: string): Promise<string> {
  const dispatcher = new ProxyAgent(proxy);
  try {
    const page = await fetch(url, { dispatcher });
    return `${page.status} ${await page.text()}`;
  } finally {
    await dispatcher.close();
  }
}
