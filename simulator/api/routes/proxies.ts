import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import type { Account } from "../../account/account.ts";
import type { Service } from "../../service.ts";
import { admit } from "../admission.ts";
import { type ApiEnv, answerWritten } from "../call.ts";
import { Rejection, type ServiceError } from "../rejection.ts";
import { describeAnswer, describeBody, KeyParams, ProxyTypeQuery } from "../schema/envelope.ts";
import { PageAnswer, PageBody } from "../schema/proxy.ts";
import { WrittenPages } from "../written-pages.ts";

export function addProxyRoutes(app: OpenAPIHono<ApiEnv>, service: Service): void {
  // A reset and a loaded snapshot bring other accounts. The pages of the old ones go with them.
  const pagesByAccount = new WeakMap<Account, WrittenPages>();
  const pagesOf = (account: Account): WrittenPages => {
    const pages = pagesByAccount.get(account) ?? new WrittenPages();
    pagesByAccount.set(account, pages);
    return pages;
  };
  app.openapi(
    createRoute({
      operationId: "listProxies",
      tags: ["proxies"],
      summary: "One page of the rented proxies of a type, with their logins",
      method: "post",
      path: "/client/api/v1/{apiKey}/ipAddress",
      middleware: admit(service, "listProxies", emptyPage),
      request: { params: KeyParams, query: ProxyTypeQuery, body: describeBody(PageBody) },
      responses: describeAnswer(PageAnswer),
    }),
    async (c) => {
      const { proxyType, page, size } = c.req.valid("json");
      if (proxyType !== c.req.valid("query").proxyType) throw new Rejection("proxyType");
      const account = c.get("account");
      // A caller that sees a live proxy must be able to use it.
      await service.live?.ready();
      const json = pagesOf(account).write(`${proxyType} ${page} ${size}`, {
        ...account.page(proxyType, page, size),
        endsToldUntilMs: account.endsToldUntilMs(),
      });
      return answerWritten<z.infer<typeof PageAnswer>>(c, json);
    },
  );
}

function emptyPage(error: ServiceError): z.infer<typeof PageAnswer> {
  return { success: false, data: {}, error };
}
