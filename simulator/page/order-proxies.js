import { countOf } from "./amounts.js";
import { accountPath, read } from "./control-api.js";
import { showDaysLeft } from "./days-left.js";
import { element, setText } from "./elements.js";
import { showError } from "./notice.js";
import { keepRows } from "./rows.js";
import { makeSideways } from "./sideways.js";
import { formatMinute } from "./times.js";

/** @import { Proxy } from "./answers.d.ts" */

const pageSize = 50;
const columns = [
  "Address",
  "HTTPS",
  "SOCKS5",
  "Id",
  "Ends",
  "Days left",
  "Auto-extension",
  "State",
];

/**
 * The IPs of an order, page by page: an order may have thousands.
 * @param {string} account
 * @param {string} orderNumber
 */
export function makeOrderProxies(account, orderNumber) {
  let page = 0;
  let now = "";
  let asked = 0;
  const where = element("span");
  const back = makePageButton("Previous", -1);
  const on = makePageButton("Next", 1);
  const body = element("tbody");
  const showRows = keepRows(body, ({ proxy }) => proxy.ipAddressId, makeProxyRow);

  /** @param {string} label @param {number} step */
  function makePageButton(label, step) {
    const button = element("button", { type: "button" }, label);
    button.addEventListener("click", () => {
      page += step;
      load().catch(showError);
    });
    return button;
  }

  async function load() {
    asked += 1;
    const number = asked;
    const query = new URLSearchParams({ order: orderNumber, page: `${page}`, size: `${pageSize}` });
    /** @type {{ total: number, proxies: Proxy[] }} */
    const { total, proxies } = await read(accountPath(account, `/proxies?${query}`));
    // Somebody has turned to another page meanwhile.
    if (number !== asked) return;
    showRows(proxies.map((proxy) => ({ proxy, now })));
    const first = page * pageSize;
    setText(where, `${first + 1}–${first + proxies.length} of ${countOf(total, "IP")}`);
    back.disabled = page === 0;
    on.disabled = first + proxies.length >= total;
    pager.hidden = total <= pageSize;
  }

  const pager = element("p", { className: "pager" }, where, back, on);
  const table = element(
    "table",
    {},
    element("caption", { className: "unseen" }, `IPs of order ${orderNumber}`),
    element("thead", {}, element("tr", {}, ...columns.map(makeColumn))),
    body,
  );
  return {
    element: element(
      "div",
      { className: "proxies" },
      ...makeSideways(`IPs of order ${orderNumber}`, table),
      pager,
    ),
    /** @param {string} at the service's time */
    refresh(at) {
      now = at;
      load().catch(showError);
    },
  };
}

/** @param {string} name */
function makeColumn(name) {
  return element("th", { scope: "col" }, name);
}

/** @param {{ proxy: Proxy }} shown */
function makeProxyRow({ proxy: { ip, httpsPort, socks5Port, ipAddressId } }) {
  const ends = element("td");
  const days = element("td", { className: "number" });
  const autoExtension = element("td");
  const state = element("td");
  const still = [ip, httpsPort, socks5Port, ipAddressId].map((text) => element("td", {}, text));
  return {
    element: element("tr", {}, ...still, ends, days, autoExtension, state),
    /** @param {{ proxy: Proxy, now: string }} shown */
    update({ proxy, now }) {
      setText(ends, formatMinute(proxy.dateEnd));
      showDaysLeft(days, proxy.state === "expired" ? null : proxy.dateEnd, now);
      setText(autoExtension, proxy.autoExtend ? `by ${countOf(proxy.extendDays, "day")}` : "off");
      setText(state, proxy.state);
      state.className = proxy.state;
    },
  };
}
