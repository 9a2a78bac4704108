import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpoints, ServiceError, type ServiceErrorCode } from "../../provider/client/index.ts";
import { retryWaitMs, shouldRetry } from "../../provider/client/retry.ts";

function failure(code: ServiceErrorCode, httpStatus?: number): ServiceError {
  const facts = { code, outcome: "rejected", endpoint: "getBalance", message: "" } as const;
  return new ServiceError({ ...facts, httpStatus });
}

const passing = [408, 425, 429, 500, 502, 503, 504].map((status) =>
  failure("SERVICE_HTTP_STATUS", status),
);
const trouble = [
  failure("SERVICE_UNREACHABLE"),
  failure("SERVICE_CONNECTION_LOST"),
  failure("SERVICE_ANSWER_UNREADABLE"),
  ...passing,
];
const final = [
  failure("API_KEY_REJECTED"),
  failure("SERVICE_REFUSED"),
  failure("SERVICE_TIMEOUT"),
  failure("SERVICE_HTTP_STATUS"),
  ...[301, 302, 307, 400, 401, 403, 404, 405, 413].map((status) =>
    failure("SERVICE_HTTP_STATUS", status),
  ),
];

test("only order and extend spend, and neither is repeatable", () => {
  const once = Object.entries(endpoints).filter(([, endpoint]) => !endpoint.repeatable);
  expect(once.map(([name]) => name)).toEqual(["createOrder", "extend"]);
});

describe("shouldRetry", () => {
  test.each([...trouble, ...final])(
    "never repeats a call that spends: $code $httpStatus",
    (error) => {
      expect([1, 2, 3, 4].map((attempt) => shouldRetry(false, attempt, error))).toEqual([
        false,
        false,
        false,
        false,
      ]);
    },
  );

  test.each(trouble)("makes four attempts: $code $httpStatus", (error) => {
    expect([1, 2, 3, 4, 5].map((attempt) => shouldRetry(true, attempt, error))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test.each(final)("does not repeat a call that was answered: $code $httpStatus", (error) => {
    expect(shouldRetry(true, 1, error)).toBe(false);
  });
});

describe("retryWaitMs", () => {
  test.each([
    // the columns: attempt, random, Retry-After in ms, wait in ms
    [1, 0, undefined, 0],
    [1, 0.5, undefined, 100],
    [1, 1, undefined, 200],
    [2, 1, undefined, 400],
    [3, 1, undefined, 800],
    [4, 0.25, undefined, 400],
    [6, 1, undefined, 5_000],
    [60, 1, undefined, 5_000],
    [1, 1, 3_000, 3_000],
    [1, 0, 3_000, 3_000],
    [6, 1, 3_000, 5_000],
    [1, 0.5, 0, 100],
  ])("attempt %i with chance %d and Retry-After %s waits %i ms", (attempt, random, after, wait) => {
    expect(retryWaitMs(attempt, random, after)).toBe(wait);
  });

  test("never repeats before Retry-After, and waits no longer than needed", () => {
    const attempts = fc.integer({ min: 1, max: 50 });
    const chance = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(attempts, chance, fc.nat(60_000), (attempt, random, afterMs) => {
        const waitMs = retryWaitMs(attempt, random, afterMs);
        expect(waitMs).toBeGreaterThanOrEqual(afterMs);
        expect(waitMs).toBeLessThanOrEqual(Math.max(afterMs, 5_000));
      }),
    );
  });
});
