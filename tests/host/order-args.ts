/** What a program says of an order of one proxy, at a price that the catalogue has. */
export const orderArgs = {
  proxyType: "IPv4",
  country: "USA",
  quantity: 1,
  rentPeriodDays: 30,
  goal: "price monitoring",
};
