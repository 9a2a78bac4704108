import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import { type ProxyType, proxyTypes } from "../../catalogue/catalogue.ts";
import type { Service } from "../../service.ts";
import { admit } from "../admission.ts";
import { type ApiEnv, answer } from "../call.ts";
import { Rejection, type ServiceError } from "../rejection.ts";
import {
  CountriesAnswer,
  MobileOperatorsAnswer,
  ProxyTypesAnswer,
  RentPeriodsAnswer,
} from "../schema/catalogue.ts";
import { describeAnswer, KeyParams, ProxyTypeQuery } from "../schema/envelope.ts";

/** Countries and rent periods of ISP have the second form; see `checkPrefix`. */
const prefixes = ["", "/users"] as const;

export function addCatalogueRoutes(app: OpenAPIHono<ApiEnv>, service: Service): void {
  addProxyTypes(app, service);
  addMobileOperators(app, service);
  for (const prefix of prefixes) {
    addCountries(app, service, prefix);
    addRentPeriods(app, service, prefix);
  }
}

function addProxyTypes(app: OpenAPIHono<ApiEnv>, service: Service): void {
  app.openapi(
    createRoute({
      operationId: "listProxyTypes",
      tags: ["catalogue"],
      summary: "What kinds of proxies can be rented",
      method: "get",
      path: "/client/api/v1/{apiKey}/proxyType",
      middleware: admit(service, "listProxyTypes", emptyProxyTypes),
      request: { params: KeyParams },
      responses: describeAnswer(ProxyTypesAnswer),
    }),
    (c) => answer(c, { success: true, proxyTypes: [...proxyTypes], error: null }),
  );
}

function addMobileOperators(app: OpenAPIHono<ApiEnv>, service: Service): void {
  const { mobileOperators } = service.settings.catalogue;
  app.openapi(
    createRoute({
      operationId: "listMobileOperators",
      tags: ["catalogue"],
      summary: "Mobile operators by country, with the seconds after which an address rotates",
      method: "get",
      path: "/client/api/v1/{apiKey}/mobileOperator",
      middleware: admit(service, "listMobileOperators", emptyMobileOperators),
      request: { params: KeyParams },
      responses: describeAnswer(MobileOperatorsAnswer),
    }),
    (c) => answer(c, { success: true, mobileOperators, error: null }),
  );
}

function addCountries(app: OpenAPIHono<ApiEnv>, service: Service, prefix: string): void {
  app.openapi(
    createRoute({
      operationId: prefix === "" ? "listCountries" : "listIspCountries",
      tags: ["catalogue"],
      summary: "Where proxies of a type can be rented",
      method: "get",
      path: `${prefix}/client/api/v1/{apiKey}/country`,
      middleware: admit(service, "listCountries", emptyCountries),
      request: { params: KeyParams, query: ProxyTypeQuery },
      responses: describeAnswer(CountriesAnswer),
    }),
    (c) => {
      const { proxyType } = c.req.valid("query");
      checkPrefix(service, prefix, proxyType);
      const countries = service.settings.catalogue.countries[proxyType];
      return answer(c, { success: true, countries, error: null });
    },
  );
}

function addRentPeriods(app: OpenAPIHono<ApiEnv>, service: Service, prefix: string): void {
  app.openapi(
    createRoute({
      operationId: prefix === "" ? "listRentPeriods" : "listIspRentPeriods",
      tags: ["catalogue"],
      summary: "For how many days proxies of a type can be rented",
      method: "get",
      path: `${prefix}/client/api/v1/{apiKey}/rentPeriod`,
      middleware: admit(service, "listRentPeriods", emptyRentPeriods),
      request: { params: KeyParams, query: ProxyTypeQuery },
      responses: describeAnswer(RentPeriodsAnswer),
    }),
    (c) => {
      const { proxyType } = c.req.valid("query");
      checkPrefix(service, prefix, proxyType);
      const rentPeriodDays = service.settings.catalogue.rentPeriodDays[proxyType];
      return answer(c, { success: true, rentPeriodDays, error: null });
    },
  );
}

/** The document has `/users` for ISP only, and leaves open whether ISP also works without it. */
function checkPrefix({ settings }: Service, prefix: string, proxyType: ProxyType): void {
  const accepted =
    prefix === "" ? proxyType !== "ISP" || !settings.ispNeedsUsersPrefix : proxyType === "ISP";
  if (!accepted) throw new Rejection("proxyType");
}

function emptyProxyTypes(error: ServiceError): z.infer<typeof ProxyTypesAnswer> {
  return { success: false, proxyTypes: [], error };
}

function emptyMobileOperators(error: ServiceError): z.infer<typeof MobileOperatorsAnswer> {
  return { success: false, mobileOperators: {}, error };
}

function emptyCountries(error: ServiceError): z.infer<typeof CountriesAnswer> {
  return { success: false, countries: [], error };
}

function emptyRentPeriods(error: ServiceError): z.infer<typeof RentPeriodsAnswer> {
  return { success: false, rentPeriodDays: [], error };
}
