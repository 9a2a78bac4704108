/**
 * A parameter of a fault, as the form asks for it.
 * @typedef {object} Parameter
 * @property {string} name as the control API takes it; "item.country" is a field of a field
 * @property {string} label
 * @property {"whole" | "text" | "json" | "choice"} type
 * @property {string} value what the form begins with
 * @property {Record<string, string>} [choices] labels by value
 * @property {boolean} [isOptional]
 */

/** The meaning of the refusals in the service's document. */
const codes = {
  16: "16 insufficient funds",
  2: "2 API key",
  4: "4 proxy type",
  8: "8 mobile operator",
  13: "13 protocol",
  14: "14 goal",
};

const proxyTypes = { IPv4: "IPv4", IPv6: "IPv6", MOBILE: "MOBILE", ISP: "ISP" };

/**
 * Every kind that can be sent over HTTP, and its parameters.
 * @type {Record<string, { label: string, parameters: Parameter[] }>}
 */
export const faultKinds = {
  reset: { label: "reset: connection cut", parameters: [] },
  hang: { label: "hang: no answer", parameters: [] },
  status: {
    label: "status: HTTP error",
    parameters: [
      { name: "status", label: "Status", type: "whole", value: "503" },
      {
        name: "retryAfterSeconds",
        label: "Retry after, s",
        type: "whole",
        value: "",
        isOptional: true,
      },
    ],
  },
  refuse: {
    label: "refuse: documented code",
    parameters: [{ name: "code", label: "Code", type: "choice", value: "16", choices: codes }],
  },
  delay: {
    label: "delay: held back",
    parameters: [{ name: "ms", label: "Delay, ms", type: "whole", value: "1000" }],
  },
  truncate: { label: "truncate: half the JSON", parameters: [] },
  garbage: { label: "garbage: a web page", parameters: [] },
  redirect: { label: "redirect: 307", parameters: [] },
  drip: {
    label: "drip: byte by byte (after)",
    parameters: [{ name: "everyMs", label: "Every, ms", type: "whole", value: "1000" }],
  },
  answer: {
    label: "answer: changed (after)",
    parameters: [
      { name: "patch", label: "Patch, JSON", type: "json", value: '{ "balance": null }' },
    ],
  },
  closeConnectionAfter: { label: "closeConnectionAfter: keep-alive ends (after)", parameters: [] },
  date: {
    label: "date: wrong Date header (after)",
    parameters: [{ name: "aheadMs", label: "Ahead, ms", type: "whole", value: "86400000" }],
  },
  lateCommit: {
    label: "lateCommit: carried out later",
    parameters: [{ name: "afterMs", label: "Later by, ms", type: "whole", value: "60000" }],
  },
  foreignOrder: {
    label: "foreignOrder: somebody else buys",
    parameters: [
      { name: "item.proxyType", label: "Type", type: "choice", value: "IPv4", choices: proxyTypes },
      { name: "item.country", label: "Country", type: "text", value: "USA" },
      { name: "item.quantity", label: "Quantity", type: "whole", value: "3" },
      { name: "item.rentPeriodDays", label: "Days", type: "whole", value: "30" },
    ],
  },
};
