import type { ProxyScheme } from "../../provider/core/proxies/proxy-url.ts";
import { printTable } from "../table.ts";
import type { Unasked } from "./questions.ts";
import { type AskedProxy, type Result, type Tally, tallyBy, type Verdict } from "./result.ts";

/** What was checked. */
export interface Checked {
  /** The URL without its query, which may hold a secret. */
  url: string;
  timeoutSeconds: number;
  results: readonly Result[];
  /** Proxies for which the service lists no port of a protocol. */
  notAsked: readonly Unasked[];
}

/** The protocols as people write them. */
const protocolWords: Record<ProxyScheme, string> = { http: "HTTP", socks5: "SOCKS5" };

const verdictWords: Record<Verdict, string> = {
  works: "works",
  wrongExit: "wrong exit",
  dead: "dead",
  slow: "slow",
  loginRefused: "login refused",
  urlNotReached: "URL not reached",
  untrusted: "certificate not trusted",
};

const whatToDo: Record<Exclude<Verdict, "works">, string> = {
  wrongExit:
    "Wrong exit: the service lists another address than the URL has seen. Ask its support, with the ids above.",
  dead: "Dead: run it again in some minutes with the --order of these; what stays dead is a case for the service's support.",
  slow: "Slow: run it again with the --order of these and a larger --timeout-seconds.",
  loginRefused:
    "Login refused: it was the one that the service lists. Where an order is of authType IP, this machine's address must be its authIp; else ask the service's support.",
  urlNotReached:
    "URL not reached: these proxies answer. Try the URL without a proxy (`curl -i URL`), and another URL.",
  untrusted: "Certificate not trusted: try the URL without a proxy (`curl -i URL`).",
};

/** Whether somebody should look at a result. */
export function isWrong({ verdict }: Result): boolean {
  return verdict !== "works";
}

/** All that was checked, for people. */
export function describeChecked(checked: Checked): string {
  const { results } = checked;
  const wrong = results.filter(isWrong);
  return [
    printTable(results.map(toRow)),
    printTable(toTallyRows("COUNTRY", results, ({ country }) => country)),
    printTable(toTallyRows("ORDER", results, ({ orderId }) => orderId)),
    describeNotAsked(checked.notAsked),
    describeWrong(wrong),
    conclude(checked, wrong.length),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

function toRow({ orderId, resource = "", country, proxy, protocol, status, ms, ...rest }: Result) {
  return {
    ORDER: orderId,
    RESOURCE: resource,
    COUNTRY: country,
    PROXY: proxy,
    OVER: protocolWords[protocol],
    STATUS: status === undefined ? "-" : String(status),
    TIME: `${ms} ms`,
    EXIT: status === undefined ? "-" : describeExit(rest),
    RESULT: verdictWords[rest.verdict],
  };
}

function describeExit({
  exitAddress,
  listedAddress,
  verdict,
}: Pick<Result, "exitAddress" | "listedAddress" | "verdict">): string {
  if (exitAddress === undefined) return "not told";
  if (verdict === "wrongExit") return `${exitAddress}, not ${listedAddress}`;
  return exitAddress === listedAddress ? "as listed" : exitAddress;
}

function toTallyRows(title: string, results: readonly Result[], key: (result: Result) => string) {
  return [...tallyBy(results, key)].map(([name, { asked, working, p50Ms, p95Ms }]) => ({
    [title]: name,
    RESOURCE: title === "ORDER" ? findResource(results, name) : "",
    ASKED: String(asked),
    WORKING: String(working),
    P50: formatMs(p50Ms),
    P95: formatMs(p95Ms),
  }));
}

function findResource(results: readonly Result[], order: string): string {
  return results.find(({ orderId }) => orderId === order)?.resource ?? "";
}

function formatMs(ms: Tally["p50Ms"]): string {
  return ms === undefined ? "-" : `${ms} ms`;
}

function describeNotAsked(notAsked: Checked["notAsked"]): string {
  const lines = notAsked.map(
    (asked) =>
      `- proxy ${asked.ipAddressId} of ${nameOrder(asked)}: no port for ${protocolWords[asked.protocol]}`,
  );
  return lines.length === 0 ? "" : ["Not asked:", ...lines].join("\n");
}

function describeWrong(wrong: readonly Result[]): string {
  if (wrong.length === 0) return "";
  const lines = wrong.map(
    (result) =>
      `- proxy ${result.ipAddressId} (${result.proxy}) of ${nameOrder(result)} over ${protocolWords[result.protocol]}: ${verdictWords[result.verdict]}: ${result.why}`,
  );
  const seen = new Set(wrong.map(({ verdict }) => verdict));
  const advice = Object.entries(whatToDo).flatMap(([verdict, text]) =>
    seen.has(verdict as Verdict) ? [text] : [],
  );
  return ["What is wrong:", ...lines, "", ...advice].join("\n");
}

function nameOrder({ orderId, resource }: Pick<AskedProxy, "orderId" | "resource">): string {
  return resource === undefined ? `order ${orderId}` : `order ${orderId} (${resource})`;
}

function conclude({ url, results, timeoutSeconds }: Checked, wrong: number): string {
  const proxies = new Set(results.map(({ ipAddressId }) => ipAddressId)).size;
  const asked = `Asked ${url} through ${count(proxies, "proxy", "proxies")}, ${count(results.length, "time", "times")}, with at most ${timeoutSeconds} s each`;
  const outcome = wrong === 0 ? "all work" : `${wrong} of ${results.length} went wrong`;
  const unwell = results.filter(({ status = 0 }) => status >= 400).length;
  const answered = results.filter(({ status }) => status !== undefined);
  return [
    `${asked}: ${outcome}.`,
    ...(unwell === 0
      ? []
      : [
          `${count(unwell, "answer has", "answers have")} a status of 400 or more: the URL's own, told by proxies that work.`,
        ]),
    ...(answered.length > 0 && answered.every(({ exitAddress }) => exitAddress === undefined)
      ? [
          "The URL tells no address, so no exit was compared. A page does that answers with its caller's address: alone, or in JSON as ip or origin.",
        ]
      : []),
    ...(wrong > 0 && answered.length === 0
      ? [
          "No proxy brought an answer: is the URL up, and may this machine reach the proxies? `curl -i URL` tries it without one.",
        ]
      : []),
  ].join("\n");
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
