export { openDynamicProvider, type ResourceKind, type StackConfig } from "./host/dynamic/door.ts";
export type { DynamicProvider } from "./host/dynamic/dynamic-provider.ts";
