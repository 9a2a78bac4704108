import { createRequire } from "node:module";
import type { PolicyResource, ResourceValidationPolicy } from "@pulumi/policy";
import type { SpendPolicy } from "../../policy/index.ts";

// The SDK wraps the properties of a resource in this, so that reading an unknown value throws. Its types lack it.
const sdk: { unknownCheckingProxy(props: object): Record<string, unknown> } = createRequire(
  import.meta.url,
)("@pulumi/policy");

/** The engine's texts for a number, a text and an object that are not known yet. */
export const unknownNumber = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const unknownObject = "dd056dcd-154b-4c76-9bd3-c8f88648b5ff";

/** The current name of an order's type in the engine. */
const orderType = "pulumi-nodejs:dynamic/proxyrental:ProxyOrder";

/** Checked inputs of an order, with a quote as the provider writes it. */
export function orderProps(quote: unknown, more: object = {}): object {
  return { proxyType: "IPv4", country: "USA", goal: "price comparison", quote, ...more };
}

/** A quote of a first order. */
export function buying(price: number): object {
  return { effect: "buy", quantity: 5, price, currency: "USD", discount: 0, balance: 1000 };
}

/** The current names of the types of an extension and of an automatic extension in the engine. */
export const extensionType = "pulumi-nodejs:dynamic/proxyrental:IpExtension";
export const autoExtensionType = "pulumi-nodejs:dynamic/proxyrental:IpAutoExtend";

/** The engine's text for a boolean that is known only at `up`. */
export const unknownBoolean = "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7";

interface Case {
  readonly props: object;
  /** @default the current type of an order */
  readonly type?: string;
  /** The config without the level, as the engine passes it. @default empty */
  readonly config?: object;
  /** @default "fleet" */
  readonly name?: string;
  /** Each stack has its own sums. @default "dev" */
  readonly stack?: string;
  readonly protect?: boolean;
}

function describeResource({ props, type = orderType, name = "fleet", stack = "dev" }: Case) {
  return { type, name, props: sdk.unknownCheckingProxy(props), urn: urnOf({ type, name, stack }) };
}

/** The URN that the engine gives to such a resource. */
export function urnOf({
  type = orderType,
  name = "fleet",
  stack = "dev",
}: Omit<Case, "props">): string {
  return `urn:pulumi:${stack}::project::${type}::${name}`;
}

function optionsOf({ protect = false }: Case) {
  return {
    ...{ protect, ignoreChanges: [], aliases: [], additionalSecretOutputs: [] },
    customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 },
  };
}

const engine = (config: object) => ({
  stackTags: new Map<string, string>(),
  isType: () => false,
  asType: () => undefined,
  getConfig: <Config extends object>() => config as Config,
  notApplicable: () => {
    throw new Error("not applicable");
  },
});

/** The violations that a policy reports for a resource with the name `fleet`. */
export async function violationsOf(
  policy: ResourceValidationPolicy,
  resource: Case,
): Promise<string[]> {
  const violations: string[] = [];
  for (const validate of [policy.validateResource ?? []].flat()) {
    await validate(
      {
        ...describeResource(resource),
        opts: optionsOf(resource),
        ...engine(resource.config ?? {}),
      },
      (violation) => void violations.push(String(violation)),
    );
  }
  return violations;
}

/** A resource in a stack. */
interface Member extends Case {
  /** The names of the resources whose outputs are its `ipAddressIds`. */
  readonly extended?: readonly string[];
}

/** The violations that a policy reports for a stack of these resources. */
export async function stackViolationsOf(
  policy: SpendPolicy,
  members: readonly Member[],
  config: object = {},
): Promise<string[]> {
  const violations: string[] = [];
  const made = members.map((member): PolicyResource => {
    const base = { dependencies: [], propertyDependencies: {}, opts: optionsOf(member) };
    return { ...engine(config), ...describeResource(member), ...base };
  });
  const resources = made.map((resource, index) => {
    const names = members[index]?.extended ?? [];
    const ipAddressIds = made.filter(({ name }) => names.includes(name));
    return { ...resource, propertyDependencies: { ipAddressIds } };
  });
  await policy.validateStack?.(
    { ...engine(config), resources },
    (violation) => void violations.push(String(violation)),
  );
  return violations;
}
