import type { PromoCode } from "../catalogue/catalogue.ts";

export interface PromoVerdict {
  promoCodeStatus: "VALID" | "NO_VALID" | null;
  /** Percent; 0 unless the code is valid. */
  discount: number;
}

/** The account's promo codes, and how many uses are left. */
export class PromoBook {
  readonly #codes: Map<string, PromoCode>;

  constructor(promoCodes: readonly PromoCode[], usesLeft: Readonly<Record<string, number>> = {}) {
    this.#codes = new Map(
      promoCodes.map((promo) => [
        promo.code,
        { ...promo, countUses: usesLeft[promo.code] ?? promo.countUses },
      ]),
    );
  }

  get usesLeft(): Record<string, number> {
    return Object.fromEntries(this.list().map(({ code, countUses }) => [code, countUses]));
  }

  /** All codes as they are now. */
  list(): PromoCode[] {
    return [...this.#codes.values()].map((promo) => ({ ...promo }));
  }

  /** Judges a code. An empty one counts as none. */
  judge(code: string | null | undefined, nowMs: number): PromoVerdict {
    if (!code) return { promoCodeStatus: null, discount: 0 };
    const promo = this.#codes.get(code);
    if (promo === undefined || !isUsable(promo, nowMs)) {
      return { promoCodeStatus: "NO_VALID", discount: 0 };
    }
    return { promoCodeStatus: "VALID", discount: promo.discount };
  }

  /** Takes one use off a code that was judged valid. Any other code costs none. */
  redeem(code: string | null | undefined, verdict: PromoVerdict): void {
    const promo = code ? this.#codes.get(code) : undefined;
    if (promo !== undefined && verdict.promoCodeStatus === "VALID") promo.countUses -= 1;
  }
}

function isUsable(promo: PromoCode, nowMs: number): boolean {
  const started = Date.parse(promo.startDate) <= nowMs;
  const ended = !promo.endless && Date.parse(promo.endDate) < nowMs;
  return started && !ended && promo.countUses > 0;
}
