import { ProxyRentalError } from "../values/errors.ts";
import { isWithoutStack } from "../values/owner.ts";
import type { GateFailure } from "./gates.ts";

const NO_STACK =
  "a resource without a stack buys nothing, takes no order over and switches no automatic extension on, because no state would remember it. Nothing was bought. Declare the resource in the program of a stack and run `pulumi preview` there, or leave `--stateless` out of `pulumi do` (the stack `dev` of a project with the name `default` can't be told from no stack: give the project another name)";

/** Why a plan with consequences is refused if its resource is in no stack; undefined if it is in one. */
export function refuseWithoutStack(owner: string): GateFailure | undefined {
  if (!isWithoutStack(owner)) return undefined;
  return { code: "STACK_REQUIRED", property: "quote", reason: NO_STACK };
}

/** As `refuseWithoutStack`, right before it is done. */
export function assertInStack(owner: string): void {
  if (isWithoutStack(owner)) throw new ProxyRentalError("STACK_REQUIRED", `${NO_STACK}.`);
}
