import { accountPath, readNews } from "./control-api.js";
import { find, setText } from "./elements.js";

/** @import { AccountSummary, Environment } from "./answers.d.ts" */

const lines = find("exports", HTMLElement);
const copy = find("copy-exports", HTMLButtonElement);
const copied = find("copied", HTMLElement);
const noMoney = find("no-money", HTMLElement);

copy.addEventListener("click", copyLines);

/**
 * What a person types to use an account. It is shown, and asked for, only while nothing was bought with it.
 * @param {AccountSummary} account
 */
export async function refreshEnvironment({ name, orders, balance }) {
  if (orders > 0) return;
  noMoney.hidden = Number(balance) > 0;
  /** @type {Environment | null} */
  const news = await readNews("environment", accountPath(name, "/environment"));
  if (news === null) return;
  setText(lines, Object.entries(news).map(writeLine).join("\n"));
  setText(copied, "");
}

/** @param {[string, string | null]} variable a value that the simulator does not tell is null */
function writeLine([name, value]) {
  return `export ${name}=${value ?? "'the key that you have chosen'"}`;
}

async function copyLines() {
  try {
    await navigator.clipboard.writeText(lines.textContent);
    setText(copied, "Copied");
  } catch {
    // A page that came from another machine without TLS has no clipboard.
    getSelection()?.selectAllChildren(lines);
    setText(copied, "Selected: press Ctrl+C");
  }
}
