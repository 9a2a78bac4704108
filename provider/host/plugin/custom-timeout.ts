import type { Props } from "../resources/hosted-resource.ts";

/** The argument that says how long an order waits for its proxies. */
const ARGUMENT = "deliveryTimeoutSeconds";

/**
 * The inputs of a change that `customTimeouts` gives so much time. It limits how long a paid order is waited for,
 * and never how long an answer to a purchase is.
 * @param seconds 0 where the program sets none.
 */
export function withTimeout(inputs: Props, seconds: number): Props {
  if (seconds <= 0) return inputs;
  return { ...inputs, [ARGUMENT]: Math.max(1, Math.round(seconds)) };
}

/** What is recorded of such a change: the argument as the program gave it. */
export function withoutTimeout(state: object, inputs: Props): Props {
  const { [ARGUMENT]: _limited, ...rest } = state as Props;
  const given = inputs[ARGUMENT];
  return given === undefined ? rest : { ...rest, [ARGUMENT]: given };
}
