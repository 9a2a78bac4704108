import { z } from "zod";
import { serviceTime } from "../account/listing.ts";
import { findEmptyRange, proxyFilterSchema, selectProxies } from "../proxies/proxy-filter.ts";
import { rentedProxySchema } from "../proxies/rented-proxy.ts";
import { defineFunction } from "./account-function.ts";

/** See its description. */
export const getProxies = defineFunction({
  description:
    "The proxies of a type that the account holds, whoever ordered them: those that fit all that is given. Spends nothing. A proxy whose end the service has not told fits no number of days.",
  inputs: proxyFilterSchema,
  outputs: z.object({
    proxies: z
      .array(rentedProxySchema)
      .describe(
        "The proxies, without logins: those are secret, and only `credentials` and `urls` of a ProxyOrder give them.",
      ),
  }),
  findMisfits: findEmptyRange,
  answer: async ({ listing, clock }, filter) => {
    const snapshot = await listing.complete(filter.proxyType);
    const found = selectProxies(snapshot.records, filter, serviceTime(snapshot, clock));
    return { proxies: found.map(({ credential: _secret, ...proxy }) => proxy) };
  },
});
