import { MAX_DELIVERY_TIMEOUT_SECONDS } from "../../core/order/model/args.ts";
import type { Props } from "../resources/hosted-resource.ts";

/** The argument that says how long an order waits for its proxies. */
const ARGUMENT = "deliveryTimeoutSeconds";

/**
 * The inputs of a change with a `customTimeouts`. It limits how long to wait for a paid order, and never for the
 * answer to a purchase. A longer one than the argument may be is as long as that may be.
 * @param seconds 0 if the program sets none.
 */
export function withTimeout(inputs: Props, seconds: number): Props {
  if (seconds <= 0) return inputs;
  const allowed = Math.min(Math.max(1, Math.round(seconds)), MAX_DELIVERY_TIMEOUT_SECONDS);
  return { ...inputs, [ARGUMENT]: allowed };
}

/** The state to record of such a change, with the argument as the program gave it. */
export function withoutTimeout(state: object, inputs: Props): Props {
  const { [ARGUMENT]: _limited, ...rest } = state as Props;
  const given = inputs[ARGUMENT];
  return given === undefined ? rest : { ...rest, [ARGUMENT]: given };
}
