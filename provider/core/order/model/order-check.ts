import type { InputFailure } from "../../values/inputs.ts";
import type { OrderArgs } from "./args.ts";
import type { CheckedOrder } from "./state.ts";

/** The result of a check: inputs for preview, policies and create, or what is wrong with them. */
export interface OrderCheck {
  checked: Partial<CheckedOrder>;
  failures: InputFailure[];
  /** What people are told of the plan: sentences without the resource's name. @default nothing */
  lines?: readonly string[];
}

/** Arguments that would buy something, before their price is known. */
export type UnpricedOrder = OwnedArgs & Pick<CheckedOrder, "requestId">;

/** Whole arguments, and whose they are. */
export type OwnedArgs = OrderArgs & Pick<CheckedOrder, "owner" | "fleet">;
