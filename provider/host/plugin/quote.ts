import type { Effect } from "../../core/quote.ts";
import type { Props } from "../resources/hosted-resource.ts";
import type { ReceivedProps } from "./struct.ts";

const spending: ReadonlySet<unknown> = new Set<Effect>(["buy", "topUp", "replace", "extend"]);

/** Whether the quote in checked inputs stands for something that is bought. */
export function spends({ known }: Pick<ReceivedProps, "known">): boolean {
  return spending.has((known.quote as Props | undefined)?.effect);
}
