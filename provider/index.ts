export { openDynamicProvider, type StackConfig } from "./host/dynamic/door.ts";
export type { DynamicProvider } from "./host/dynamic/dynamic-provider.ts";
export type { ResourceKind } from "./host/resources/kind.ts";
