import { createRequire } from "node:module";
import type { PolicyResource, ResourceValidationPolicy } from "@pulumi/policy";
import type { SpendPolicy } from "../../policy/index.ts";

// What the SDK wraps a resource's properties in: reading an unknown value throws. Its types do not tell.
const sdk: { unknownCheckingProxy(props: object): Record<string, unknown> } = createRequire(
  import.meta.url,
)("@pulumi/policy");

/** How the engine writes a number, a text and an object that it does not know yet. */
export const unknownNumber = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const unknownObject = "dd056dcd-154b-4c76-9bd3-c8f88648b5ff";

/** The type of an order, as the engine calls it today. */
const orderType = "pulumi-nodejs:dynamic/proxyrental:ProxyOrder";

/** Checked inputs of an order, with a quote as the provider writes it. */
export function orderProps(quote: unknown, more: object = {}): object {
  return { proxyType: "IPv4", country: "USA", goal: "price comparison", quote, ...more };
}

/** A quote of a first order. */
export function buying(price: number): object {
  return { effect: "buy", quantity: 5, price, currency: "USD", discount: 0, balance: 1000 };
}

/** The type of an extension, and of an automatic one, as the engine calls them today. */
export const extensionType = "pulumi-nodejs:dynamic/proxyrental:IpExtension";
export const autoExtensionType = "pulumi-nodejs:dynamic/proxyrental:IpAutoExtend";

/** What is true or false only at up. */
export const unknownBoolean = "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7";

interface Case {
  readonly props: object;
  /** @default an order, today */
  readonly type?: string;
  /** As the engine hands it over, without the level. @default empty */
  readonly config?: object;
  /** @default "fleet" */
  readonly name?: string;
  /** A stack of its own has sums of its own. @default "dev" */
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

/** What a policy says of a resource with the name `fleet`. */
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

/** A resource of a whole stack. */
interface Member extends Case {
  /** Names of the resources whose outputs its `ipAddressIds` are. */
  readonly extended?: readonly string[];
}

/** What a policy says of a stack of these resources. */
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
