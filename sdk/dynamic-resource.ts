import * as pulumi from "@pulumi/pulumi";
import type { ResourceKind } from "../provider/host/resources/kind.ts";

/** The type of a dynamic resource of this package, as the engine and policies see it. */
export function dynamicType(kind: ResourceKind): string {
  return `pulumi-nodejs:dynamic/proxyrental:${kind}`;
}

/**
 * A dynamic resource whose provider is in the installed package. Pulumi's own class would have the compiler of
 * TypeScript parse a provider's functions, in each run of each program, only to write this text. That takes longer than
 * all else that a small program does.
 */
export class DynamicResource extends pulumi.CustomResource {
  /** @param properties the arguments, and `undefined` for each output */
  constructor(
    kind: ResourceKind,
    name: string,
    properties: pulumi.Inputs,
    options: pulumi.CustomResourceOptions | undefined,
  ) {
    super(dynamicType(kind), name, { ...properties, __provider: providerText(kind) }, options);
  }
}

/**
 * The program that Pulumi keeps in the state of each dynamic resource, twice, and whose `handler` makes the provider. It
 * only loads the installed package: so it is short, stays the same between releases, and holds no key. The engine's
 * process calls `configure` before any other method, but does not wait for it. So the methods are set before anything
 * is awaited.
 */
export function providerText(kind: ResourceKind): string {
  return [
    "exports.handler=()=>({configure(c){",
    `const p=import("pulumi-proxyrental/provider").then(d=>d.openDynamicProvider("${kind}",c.config));`,
    'for(const m of["check","diff","create","read","update","delete"])this[m]=async(...a)=>(await p)[m](...a)',
    "}})",
  ].join("");
}
