/** The arguments of an order of one proxy. The catalogue has a price for it. */
export const orderArgs = {
  proxyType: "IPv4",
  country: "USA",
  quantity: 1,
  rentPeriodDays: 30,
  goal: "price monitoring",
};
