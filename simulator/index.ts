export type { ChargeOrigin, LedgerEntry } from "./account/ledger.ts";
export type { PricedItem } from "./account/pricing.ts";
export type { SimulatedOrder, SimulatedProxy } from "./account/views.ts";
export type { ProxyType } from "./catalogue.ts";
export type { TimeSpan } from "./clock.ts";
export type { Fault, FaultHandle, FaultRule } from "./faults/fault.ts";
export type { EndpointName, RequestRecord } from "./request-log.ts";
export type { SimulatorOptions } from "./settings.ts";
export { type Simulator, startSimulator } from "./simulator.ts";
