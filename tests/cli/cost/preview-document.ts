import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

const STACK = "urn:pulumi:dev::fleet::pulumi:pulumi:Stack::fleet-dev";

/** A text that must never be printed. The engine writes it into the preview with the resource. */
export const HUSH = "hush-hush";

/** A resource in one step of a preview. */
export interface StepText {
  op: string;
  urn: string;
  oldState?: object;
  newState?: object;
  replaceReasons?: string[];
}

/** Data of a step besides the inputs of its resource. */
export interface StepOptions {
  name?: string;
  /** @default a ProxyOrder of the dynamic host */
  type?: string;
  op?: string;
  /** The inputs in the state before the step. */
  old?: object;
  reasons?: string[];
}

/** The checked inputs of an order of 5 proxies in a preview, with some changes. */
export function orderInputs(quote: unknown, inputs: object = {}): object {
  return {
    ...{ __provider: HUSH, owner: HUSH, goal: HUSH, promoCode: HUSH, authIp: HUSH },
    ...{ proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 },
    ...{ holdings: { held: 5, released: [] }, quote },
    ...inputs,
  };
}

/** The quote of a purchase of 5 proxies, with some changes. */
export function bought(quote: object = {}): object {
  return { effect: "buy", quantity: 5, price: 7, currency: "USD", balance: 1000, ...quote };
}

/** The cost basis of 5 proxies that cost 7.00 USD for 30 days. */
export const owned = { price: 7, quantity: 5, rentPeriodDays: 30, currency: "USD" };

/** A step for a resource with these inputs. If the resource is deleted, they are undefined. */
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

/** The name of a type on the dynamic host. */
export function dynamic(kind: string): string {
  return `pulumi-nodejs:dynamic/proxyrental:${kind}`;
}

/** What a preview says besides its steps. */
export interface PreviewOptions {
  same?: number;
  diagnostics?: object[];
  /** @default "dev" */
  stack?: string;
  /** @default "fleet" */
  project?: string;
  /** If true, the preview lists none of its unchanged resources. Then the stack itself is not in it. */
  hidesSames?: boolean;
}

/** The text that `pulumi preview --json` prints for these steps. */
export function previewText(steps: readonly StepText[], more: PreviewOptions = {}): string {
  const stack = { op: "same", urn: STACK, newState: { urn: STACK, type: "pulumi:pulumi:Stack" } };
  const text = JSON.stringify({
    config: { "fleet:token": HUSH },
    steps: more.hidesSames ? steps : [stack, ...steps],
    diagnostics: more.diagnostics ?? [{ message: HUSH, severity: "info" }],
    duration: 1,
    changeSummary: { same: more.same ?? 1, create: steps.length },
  });
  const { stack: name = "dev", project = "fleet" } = more;
  return text.replaceAll("urn:pulumi:dev::fleet::", `urn:pulumi:${name}::${project}::`);
}

/** Writes a preview into a folder that is removed with the test, and returns its path. */
export async function writePreview(
  steps: readonly StepText[],
  more: PreviewOptions = {},
): Promise<string> {
  const file = join(await makeTemporaryFolder(), `${more.stack ?? "preview"}.json`);
  await writeFile(file, previewText(steps, more));
  return file;
}
