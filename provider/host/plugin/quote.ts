import { isSpending } from "../../core/values/effect.ts";
import type { ReceivedProps } from "./struct.ts";

/** Whether the quote in checked inputs stands for something that is bought. */
export function spends({ known }: Pick<ReceivedProps, "known">): boolean {
  return isSpending({ ...(known.quote as object | undefined) });
}
