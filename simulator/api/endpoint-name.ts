/** The endpoints of the service's document. */
export const endpointNames = [
  "getBalance",
  "listProxyTypes",
  "listCountries",
  "listRentPeriods",
  "listPromoCodes",
  "listMobileOperators",
  "calculateOrder",
  "createOrder",
  "calculateExtension",
  "extend",
  "setAutoExtension",
  "listProxies",
] as const;

export type EndpointName = (typeof endpointNames)[number];
