import { type ProxyScheme, toProxyAddress } from "../../provider/core/proxies/proxy-url.ts";
import type { ChosenProxy } from "./chosen-proxies.ts";
import type { ProxyWay } from "./proxy-dispatcher.ts";
import { type AskedProxy, judge, type Result } from "./result.ts";

/** A proxy to ask through over one protocol. */
export interface Question {
  asked: AskedProxy;
  way: ProxyWay;
}

/** A proxy for which the service lists no usable port of a protocol. */
export type Unasked = Omit<AskedProxy, "proxy">;

/** Each proxy over each protocol. */
export function listQuestions(
  proxies: readonly ChosenProxy[],
  protocols: readonly ProxyScheme[],
): { questions: Question[]; notAsked: Unasked[] } {
  const questions: Question[] = [];
  const notAsked: Unasked[] = [];
  for (const { record, proxyType, resource } of proxies) {
    const { ipAddressId, ipAddressIp: host, orderId, country, credential } = record;
    for (const protocol of protocols) {
      const named = { ipAddressId, orderId, resource, proxyType, country, protocol };
      const proxy = toProxyAddress(record, protocol);
      const port = readPort(protocol === "http" ? record.httpsPort : record.socks5Port);
      if (proxy === undefined || port === undefined) notAsked.push(named);
      else {
        const way = { scheme: protocol, host, port, credential };
        questions.push({ asked: { ...named, proxy }, way });
      }
    }
  }
  return { questions, notAsked };
}

/** Asks the URL through all of them, some at a time, and tells after each how many are done. */
export async function askAll(
  questions: readonly Question[],
  url: URL,
  { atOnce, timeoutMs }: { atOnce: number; timeoutMs: number },
  tellDone: (done: number) => void,
): Promise<Result[]> {
  if (questions.length === 0) return [];
  // Loaded only here: no other command needs what speaks to proxies.
  const [{ default: pLimit }, { askThrough }] = await Promise.all([
    import("p-limit"),
    import("./ask.ts"),
  ]);
  let done = 0;
  tellDone(done);
  return pLimit(atOnce).map(questions, async ({ asked, way }) => {
    const outcome = await askThrough(way, url, timeoutMs);
    done += 1;
    tellDone(done);
    return judge(asked, way.host, outcome);
  });
}

function readPort(text = ""): number | undefined {
  const port = /^\d+$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}
