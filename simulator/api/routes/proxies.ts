import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import { formatTimestamp, type RentedProxy } from "../../account/order.ts";
import type { Service } from "../../service.ts";
import { admit } from "../admission.ts";
import { type ApiEnv, answer } from "../call.ts";
import { Rejection, type ServiceError } from "../rejection.ts";
import { describeAnswer, describeBody, KeyParams, ProxyTypeQuery } from "../schema/envelope.ts";
import { PageAnswer, PageBody, type ProxyWire } from "../schema/proxy.ts";

export function addProxyRoutes(app: OpenAPIHono<ApiEnv>, service: Service): void {
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
      const { proxies, ...totals } = account.page(proxyType, page, size);
      const content = proxies.map((proxy) => toProxyWire(proxy, account.tellsEnd(proxy)));
      const data = { ...totals, content };
      return answer(c, { success: true, data, error: null });
    },
  );
}

function toProxyWire(proxy: RentedProxy, tellsEnd: boolean): z.infer<typeof ProxyWire> {
  return {
    ipAddressId: proxy.ipAddressId,
    ipAddressIp: proxy.ip,
    orderId: proxy.order.orderId,
    country: proxy.order.country,
    dateStart: formatTimestamp(proxy.startMs),
    ...(tellsEnd && { dateEnd: formatTimestamp(proxy.endMs) }),
    httpsPort: proxy.httpsPort,
    socks5Port: proxy.socks5Port,
    // The document shows the field, but neither its meaning nor how to set it.
    comment: "",
    authInfo: { login: proxy.login, password: proxy.password },
    extendInfo: { autoExtend: proxy.autoExtend, extendDays: proxy.extendDays },
  };
}

function emptyPage(error: ServiceError): z.infer<typeof PageAnswer> {
  return { success: false, data: {}, error };
}
