import type { GivenInputs, InputFailure } from "../../core/values/inputs.ts";
import type { CheckedInputs, Props } from "../resources/hosted-resource.ts";
import { UNKNOWN } from "../unknown-value.ts";

/** What a dynamic provider's check returns. */
export interface CheckResult {
  inputs: Props;
  failures: InputFailure[];
}

/** The text of the provider, which the engine keeps among a dynamic resource's properties. */
const PROVIDER = "__provider";

/** What the sdk adds to the arguments of a program. */
const ADDED: ReadonlySet<string> = new Set([PROVIDER, "owner", "fleet"]);

/** Splits a program's inputs into the known ones, the unknown ones, and what the sdk has added. */
export function parseGiven(inputs: Props): { owner: string; given: GivenInputs } {
  const known: Props = {};
  const unknown = new Set<string>();
  for (const [name, value] of Object.entries(inputs)) {
    if (ADDED.has(name)) continue;
    if (hasUnknown(value)) unknown.add(name);
    else known[name] = value;
  }
  const { fleet } = inputs;
  // A limit that is not known yet limits nothing yet. It is known when money is spent.
  const isLimited = fleet !== undefined && fleet !== null && !hasUnknown(fleet);
  return { owner: ownerIn(inputs), given: { known, unknown, ...(isLimited && { fleet }) } };
}

/** The owner among any properties of a resource. */
export function ownerIn({ owner }: Props): string {
  return typeof owner === "string" ? owner : "";
}

/** Puts the unknown inputs back, so that the engine still treats them as unknown. */
export function withUnknown(
  checked: Pick<CheckedInputs, "inputs" | "unknown">,
  news: Props,
  given: GivenInputs,
): Props {
  const givenUnknown = [...given.unknown].map((name) => [name, news[name]]);
  const unknown = checked.unknown.map((name) => [name, UNKNOWN]);
  return {
    ...withoutUndefined(checked.inputs),
    ...Object.fromEntries([...unknown, ...givenUnknown]),
  };
}

/** If there are no old inputs, the engine gives empty ones. This gives undefined. */
export function parseOld(inputs: Props | undefined): Props | undefined {
  const names = Object.keys(inputs ?? {}).filter((name) => name !== PROVIDER);
  return names.length === 0 ? undefined : inputs;
}

/** The engine's wire format has no undefined: it would fail, or hang the run if it is in a thrown state. */
export function withoutUndefined(value: object): Props {
  return JSON.parse(JSON.stringify(value));
}

/** An error that saves its resource must carry this, so that the next refresh finds the provider. */
export function providerOf(inputs: Props): Props {
  return { [PROVIDER]: inputs[PROVIDER] };
}

function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  if (typeof value === "object" && value !== null) return Object.values(value).some(hasUnknown);
  return false;
}
