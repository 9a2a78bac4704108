import { json } from "node:stream/consumers";
import type { UndiciProxy } from "pulumi-proxyrental";
import { fetchThrough } from "./fetch-through.ts";

// The proxies come on standard input, so that no login stands in a command line or in a file.
const proxies = (await json(process.stdin)) as UndiciProxy[];
const [url = "https://example.com"] = process.argv.slice(2);
for (const proxy of proxies) console.log(proxy.uri, await fetchThrough(proxy, url));
