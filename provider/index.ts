export {
  type DynamicProvider,
  openDynamicProvider,
  type ResourceKind,
  type StackConfig,
} from "./host/dynamic/door.ts";
