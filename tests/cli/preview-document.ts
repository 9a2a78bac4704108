const STACK = "urn:pulumi:dev::fleet::pulumi:pulumi:Stack::fleet-dev";

/** What must never be told of a resource: the engine writes it all into a preview. */
export const HUSH = "hush-hush";

/** A resource in one step of a preview. */
export interface StepText {
  op: string;
  urn: string;
  oldState?: object;
  newState?: object;
  replaceReasons?: string[];
}

/** How a resource is told of, beside its inputs. */
export interface StepOptions {
  name?: string;
  /** @default a ProxyOrder of the dynamic host */
  type?: string;
  op?: string;
  /** Inputs of the state that is there. */
  old?: object;
  reasons?: string[];
}

/** An order of 5 proxies, as its checked inputs stand in a preview, with some of them changed. */
export function orderInputs(quote: unknown, inputs: object = {}): object {
  return {
    ...{ __provider: HUSH, owner: HUSH, goal: HUSH, promoCode: HUSH, authIp: HUSH },
    ...{ proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 },
    ...{ holdings: { held: 5, released: [] }, quote },
    ...inputs,
  };
}

/** A purchase of 5 proxies, changed. */
export function bought(quote: object = {}): object {
  return { effect: "buy", quantity: 5, price: 7, currency: "USD", balance: 1000, ...quote };
}

/** What 5 proxies are that cost 7.00 USD for 30 days. */
export const owned = { price: 7, quantity: 5, rentPeriodDays: 30, currency: "USD" };

/** One step for a resource with these inputs; undefined for one that is deleted. */
export function step(
  inputs: object | undefined,
  { name = "fleet", type = dynamic("ProxyOrder"), op = "create", old, reasons }: StepOptions = {},
): StepText {
  const state = (given: object) => ({ urn: HUSH, type, inputs: given, outputs: { urls: [HUSH] } });
  return {
    op,
    urn: `urn:pulumi:dev::fleet::${type}::${name}`,
    ...(old && { oldState: state(old) }),
    ...(inputs && { newState: state(inputs) }),
    ...(reasons && { replaceReasons: reasons }),
  };
}

/** A type as the dynamic host has it. */
export function dynamic(kind: string): string {
  return `pulumi-nodejs:dynamic/proxyrental:${kind}`;
}

/** What `pulumi preview --json` writes of these steps. */
export function previewText(
  steps: readonly StepText[],
  more: { same?: number; diagnostics?: object[] } = {},
): string {
  const stack = { op: "same", urn: STACK, newState: { urn: STACK, type: "pulumi:pulumi:Stack" } };
  return JSON.stringify({
    config: { "fleet:token": HUSH },
    steps: [stack, ...steps],
    diagnostics: more.diagnostics ?? [{ message: HUSH, severity: "info" }],
    duration: 1,
    changeSummary: { same: more.same ?? 1, create: steps.length },
  });
}
