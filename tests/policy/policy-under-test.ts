import { createRequire } from "node:module";
import type { ResourceValidationPolicy } from "@pulumi/policy";

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

interface Case {
  readonly props: object;
  /** @default an order, today */
  readonly type?: string;
  /** As the engine hands it over, without the level. @default empty */
  readonly config?: object;
}

/** What a policy says of a resource with the name `fleet`. */
export async function violationsOf(
  policy: ResourceValidationPolicy,
  { props, type = orderType, config = {} }: Case,
): Promise<string[]> {
  const violations: string[] = [];
  for (const validate of [policy.validateResource ?? []].flat()) {
    await validate(
      {
        type,
        props: sdk.unknownCheckingProxy(props),
        name: "fleet",
        urn: `urn:pulumi:dev::project::${type}::fleet`,
        opts: {
          ...{ protect: false, ignoreChanges: [], aliases: [], additionalSecretOutputs: [] },
          customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 },
        },
        stackTags: new Map(),
        isType: () => false,
        asType: () => undefined,
        getConfig: <Config extends object>() => config as Config,
        notApplicable: () => {
          throw new Error("not applicable");
        },
      },
      (violation) => void violations.push(String(violation)),
    );
  }
  return violations;
}
