import fc from "fast-check";
import { expect, test } from "vitest";
import { makeRequestId } from "../../../provider/core/records/request-id.ts";

const specification = {
  proxyType: "IPv4",
  country: "USA",
  quantity: 5,
  rentPeriodDays: 30,
  goal: "price monitoring",
  authType: "LOGIN",
};

const specifications = fc.dictionary(
  fc.constantFrom("proxyType", "country", "quantity", "goal", "protocol", "rotationTime"),
  fc.oneof(fc.string(), fc.integer(), fc.constant(undefined)),
);

test("stays the same between releases, because states and plan files hold it", () => {
  expect(makeRequestId("org/urn::a", "", specification)).toBe("03a414be6442e20f3805d227432a8615");
});

test("does not depend on the order of the arguments, or on undefined ones", () => {
  fc.assert(
    fc.property(specifications, fc.string(), fc.string(), (spec, owner, previous) => {
      const defined = Object.entries(spec).filter(([, value]) => value !== undefined);
      const backwards = Object.fromEntries(defined.toReversed());
      expect(makeRequestId(owner, previous, backwards)).toBe(makeRequestId(owner, previous, spec));
    }),
  );
});

test("differs as soon as any argument differs", () => {
  const purchases = fc.record({ owner: fc.string(), previous: fc.string(), spec: specifications });
  const plain = ({ owner, previous, spec }: { owner: string; previous: string; spec: object }) =>
    JSON.stringify([
      owner,
      previous,
      Object.entries(spec)
        .filter(([, v]) => v !== undefined)
        .sort(),
    ]);
  const idOf = ({ owner, previous, spec }: { owner: string; previous: string; spec: object }) =>
    makeRequestId(owner, previous, spec);
  fc.assert(
    fc.property(purchases, purchases, (a, b) => {
      expect(idOf(a) === idOf(b)).toBe(plain(a) === plain(b));
    }),
  );
});

test.each(Object.keys(specification))("differs if %s differs", (name) => {
  const changed = { ...specification, [name]: "something else" };
  expect(makeRequestId("o", "", changed)).not.toBe(makeRequestId("o", "", specification));
});

test("distinguishes a number from text, and the owner from the previous purchase", () => {
  expect(makeRequestId("o", "", { quantity: 5 })).not.toBe(
    makeRequestId("o", "", { quantity: "5" }),
  );
  expect(makeRequestId("a", "b", {})).not.toBe(makeRequestId("b", "a", {}));
  expect(makeRequestId("ab", "", {})).not.toBe(makeRequestId("a", "b", {}));
});
