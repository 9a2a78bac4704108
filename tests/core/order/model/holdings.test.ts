import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  countReleased,
  type Holdings,
  pickUpTo,
  planResize,
} from "../../../../provider/core/order/model/holdings.ts";

const NOW = new Date("2026-06-15T00:00:00Z");
const JUNE = "2026-06-30T00:00:00Z";
const JULY = "2026-07-31T00:00:00Z";
const MAY = "2026-05-31T00:00:00Z";

type Released = Holdings["released"];

const plan = (held: number, released: Released, quantity: number, whole = false) =>
  planResize({ held, released }, quantity, whole, NOW);

describe("another quantity", () => {
  test.each<[string, number, Released, number, [number, number, number], Released]>([
    ["the same quantity", 5, [], 5, [0, 0, 0], []],
    ["more: all bought", 5, [], 8, [0, 3, 0], []],
    ["fewer: let go", 5, [], 3, [0, 0, 2], [{ count: 2 }]],
    ["fewer again", 3, [{ count: 2 }], 2, [0, 0, 1], [{ count: 2 }, { count: 1 }]],
    ["as many as were released", 3, [{ count: 2 }], 5, [2, 0, 0], []],
    ["fewer than were released", 3, [{ count: 4 }], 5, [2, 0, 0], [{ count: 2 }]],
    ["more than were released", 3, [{ count: 2, until: JUNE }], 8, [2, 3, 0], []],
    ["ended ones can't come back", 3, [{ count: 2, until: MAY }], 5, [0, 2, 0], []],
    [
      "ones that end at this moment can't come back",
      3,
      [{ count: 2, until: NOW.toISOString() }],
      5,
      [0, 2, 0],
      [],
    ],
    [
      "the longest paid come back first",
      3,
      [
        { count: 2, until: JUNE },
        { count: 2, until: JULY },
      ],
      6,
      [3, 0, 0],
      [{ count: 1, until: JUNE }],
    ],
    [
      "those without a known end were let go last",
      3,
      [{ count: 2, until: JULY }, { count: 1 }],
      4,
      [1, 0, 0],
      [{ count: 2, until: JULY }],
    ],
  ])("%s", (_what, held, released, quantity, [takeBack, buy, release], left) => {
    expect(plan(held, released, quantity)).toEqual({
      ...{ takeBack, buy, release },
      holdings: { held: quantity, released: left },
    });
  });

  test.each<[string, Released, number, number]>([
    ["one that fits", [{ count: 5, until: JUNE }], 5, 5],
    ["none larger than needed", [{ count: 5, until: JUNE }], 4, 0],
    ["those that fit best", [{ count: 3 }, { count: 4 }, { count: 2 }], 5, 5],
  ])("of whole orders takes %s back", (_what, released, needed, takeBack) => {
    const resize = plan(10, released, 10 + needed, true);
    expect(resize).toMatchObject({ takeBack, buy: needed - takeBack });
    expect(countReleased(resize.holdings.released)).toBe(countReleased(released) - takeBack);
  });

  test("keeps an adopted order in mind", () => {
    const holdings = { held: 5, released: [], adopted: 5 };
    expect(planResize(holdings, 8, false, NOW).holdings.adopted).toBe(5);
    expect(planResize(holdings, 3, false, NOW).holdings.adopted).toBe(5);
  });

  test("never loses a proxy, and never buys one that could come back", () => {
    const count = fc.integer({ min: 0, max: 30 });
    const anyRelease = fc.record({
      count: fc.integer({ min: 1, max: 9 }),
      until: fc.constantFrom(undefined, MAY, JUNE, JULY),
    });
    fc.assert(
      fc.property(
        count,
        fc.array(anyRelease, { maxLength: 5 }),
        count,
        fc.boolean(),
        (held, released, quantity, whole) => {
          const resize = plan(held, released, quantity, whole);
          const living = countReleased(released.filter(({ until }) => until !== MAY));
          const { takeBack, buy, release, holdings } = resize;
          expect(held + takeBack + buy - release).toBe(quantity);
          expect(holdings.held).toBe(quantity);
          expect(Math.min(buy, release)).toBe(0);
          if (release > 0)
            expect(countReleased(holdings.released)).toBe(countReleased(released) + release);
          else expect(countReleased(holdings.released)).toBe(living - takeBack);
          if (!whole && buy > 0) expect(takeBack).toBe(living);
        },
      ),
    );
  });
});

test("a choice of whole orders is as near to the limit as possible, and never above", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 7 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 0, max: 40 }), (things, limit) => {
      const sum = (some: number[]) => some.reduce((total, size) => total + size, 0);
      let subsets: number[][] = [[]];
      for (const size of things) subsets = subsets.flatMap((some) => [some, [...some, size]]);
      const best = Math.max(...subsets.map(sum).filter((total) => total <= limit));
      expect(sum(pickUpTo(things, (size) => size, limit))).toBe(best);
    }),
  );
});
