import type { Calculation, OrderRequest } from "../../client/index.ts";
import type { Clock, ProxyService } from "../ports.ts";
import type { Balance } from "./balance.ts";

/** What orders cost, for plans. What is bought is priced anew: see `buy.ts`. */
export interface OrderPrices {
  /** The price of one order. Throws what the service's client throws. */
  ask(request: OrderRequest): Promise<Calculation>;
}

/** How long an answer holds for other orders like it. A plan asks for all of them within seconds. */
const HOLDS_MS = 10_000;

interface Question {
  askedAtMs: number;
  answer: Promise<Calculation>;
}

/**
 * Makes the prices of one process. Orders that ask the same of the service have one price, and the engine checks one
 * resource after the other, so each question would cost a round trip. A purchase of this process may change a price or a
 * promo code, so what was told before it holds no more. A refusal or a warning holds for nobody else.
 */
export function createOrderPrices(
  service: Pick<ProxyService, "calculateOrder">,
  clock: Pick<Clock, "elapsedMs">,
  balance: Pick<Balance, "spentAtMs">,
): OrderPrices {
  const questions = new Map<string, Question>();

  function askAnew(specification: string, request: OrderRequest): Promise<Calculation> {
    const question = { askedAtMs: clock.elapsedMs(), answer: service.calculateOrder(request) };
    questions.set(specification, question);
    return question.answer;
  }

  const holds = ({ askedAtMs }: Question) =>
    askedAtMs > balance.spentAtMs() && clock.elapsedMs() - askedAtMs < HOLDS_MS;

  return {
    async ask(request) {
      const specification = JSON.stringify(request);
      const asked = questions.get(specification);
      if (asked === undefined || !holds(asked)) return askAnew(specification, request);
      const told = await asked.answer.catch(() => undefined);
      if (told !== undefined && isPrice(told)) return told;
      return askAnew(specification, request);
    },
  };
}

/** Whether it is the price of an order that would go through. */
function isPrice({ price, warnings }: Calculation): boolean {
  return price !== null && warnings.length === 0;
}
