export type { ProxyType } from "./catalogue.ts";
export type { TimeSpan } from "./clock.ts";
export type { Fault, FaultHandle, FaultRule } from "./fault.ts";
export type { ChargeOrigin, LedgerEntry } from "./ledger.ts";
export type { PricedItem } from "./pricing.ts";
export type { EndpointName, RequestRecord } from "./request-log.ts";
export type { SimulatorOptions } from "./settings.ts";
export { type Simulator, startSimulator } from "./simulator.ts";
export type { SimulatedOrder, SimulatedProxy } from "./views.ts";
