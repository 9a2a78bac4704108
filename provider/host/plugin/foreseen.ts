import type { Props } from "../resources/hosted-resource.ts";
import { UNKNOWN } from "../unknown-value.ts";
import { spends } from "./quote.ts";
import type { ResourceDefinition } from "./schema/resource-definitions.ts";
import type { ReceivedProps } from "./struct.ts";

/** What a plan can tell of a resource that will be created: its inputs, with the price. */
export function foreseeCreate({ outputs }: ResourceDefinition, { raw }: ReceivedProps): Props {
  const later = Object.keys(outputs.shape).filter((name) => !Object.hasOwn(raw, name));
  return { ...Object.fromEntries(later.map((name) => [name, UNKNOWN])), ...raw };
}

/** What a plan can tell of a resource that will be updated. */
export function foreseeUpdate(
  definition: ResourceDefinition,
  before: ReceivedProps,
  inputs: ReceivedProps,
): Props {
  const stable = definition.stable.map((name) => [name, before.raw[name]]);
  // If nothing is bought, the recorded quote stays: it is that of the last purchase.
  const quote = spends(inputs) ? {} : { quote: before.raw.quote };
  return { ...foreseeCreate(definition, inputs), ...Object.fromEntries(stable), ...quote };
}
