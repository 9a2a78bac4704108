import { expect, test } from "vitest";
import { withListedEnds } from "../../../provider/core/proxies/listed-ends.ts";
import { record } from "../support/fake-service.ts";

const [EARLIER, RECORDED, LATER] = [3, 4, 5].map((month) => `2026-0${month}-15T00:00:00.000Z`);

const recorded = (more = {}) => record("7000", 1, { dateEnd: RECORDED, ...more });

test.each([
  ["the listed one, if it is later", [record("7000", 1, { dateEnd: LATER })], LATER],
  [
    "the recorded one, if the listing is behind",
    [record("7000", 1, { dateEnd: EARLIER })],
    RECORDED,
  ],
  ["the recorded one, if it is not listed", [record("7000", 2, { dateEnd: LATER })], RECORDED],
  [
    "the recorded one, if the listing has none",
    [record("7000", 1, { dateEnd: undefined })],
    RECORDED,
  ],
  [
    "that of its address, if the service has changed its id",
    [record("7000", 1, { ipAddressId: "new", dateEnd: LATER })],
    LATER,
  ],
])("the end of a recorded proxy is %s", (_what, records, end) => {
  expect(withListedEnds([recorded()], records)).toEqual([recorded({ dateEnd: end })]);
});

test("a proxy without a port is not taken for another one at its address", () => {
  const other = record("7000", 1, { ipAddressId: "b", httpsPort: undefined, dateEnd: LATER });
  expect(withListedEnds([recorded({ httpsPort: undefined })], [other])[0]?.dateEnd).toBe(RECORDED);
});
