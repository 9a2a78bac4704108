import type { Calculation, OrderRequest } from "../../client/index.ts";
import type { Clock, ProxyService } from "../ports.ts";
import { type Age, beginAge } from "./age.ts";
import type { Balance } from "./balance.ts";

/** What orders cost, for plans. What is bought is priced anew: see `buy.ts`. */
export interface OrderPrices {
  /** The price of one order. Throws what the service's client throws. */
  ask(request: OrderRequest): Promise<Calculation>;
  /** Asks for a price that is about to be asked for, so that the way to the service is spent meanwhile. */
  askAhead(request: OrderRequest): void;
}

/** How long an answer holds for other orders like it. A plan asks for all of them within seconds. */
const HOLDS_MS = 10_000;

interface Question {
  askedAtMs: number;
  age: Age;
  answer: Promise<Calculation>;
  /** Whether nobody has taken the answer yet: then it is the next one's, whatever it says. */
  isAhead: boolean;
}

/**
 * Makes the prices of one process. Orders that ask the same of the service have one price, and the engine checks one
 * resource after the other, so each question would cost a round trip. A purchase of this process may change a price or a
 * promo code, so what was told before it holds no more. A refusal or a warning holds for nobody else.
 */
export function createOrderPrices(
  service: Pick<ProxyService, "calculateOrder">,
  clock: Pick<Clock, "now" | "elapsedMs">,
  balance: Pick<Balance, "spentAtMs">,
): OrderPrices {
  const questions = new Map<string, Question>();

  function askAnew(request: OrderRequest, isAhead: boolean): Promise<Calculation> {
    const [askedAtMs, age] = [clock.elapsedMs(), beginAge(clock)];
    const answer = service.calculateOrder(request);
    questions.set(JSON.stringify(request), { askedAtMs, age, answer, isAhead });
    return answer;
  }

  function find(request: OrderRequest): Question | undefined {
    const asked = questions.get(JSON.stringify(request));
    const holds =
      asked !== undefined && asked.askedAtMs > balance.spentAtMs() && asked.age() < HOLDS_MS;
    return holds ? asked : undefined;
  }

  return {
    askAhead(request) {
      if (find(request) === undefined) askAnew(request, true).catch(() => undefined);
    },

    async ask(request) {
      const asked = find(request);
      if (asked === undefined) return askAnew(request, false);
      if (asked.isAhead) {
        asked.isAhead = false;
        return asked.answer;
      }
      const told = await asked.answer.catch(() => undefined);
      if (told !== undefined && isPrice(told)) return told;
      return askAnew(request, false);
    },
  };
}

/** Whether it is the price of an order that would go through. */
function isPrice({ price, warnings }: Calculation): boolean {
  return price !== null && warnings.length === 0;
}
