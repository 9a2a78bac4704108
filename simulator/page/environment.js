import { accountPath, readNews } from "./control-api.js";
import { find, setText } from "./elements.js";

/** @import { AccountSummary, Environment } from "./answers.d.ts" */

const lines = find("exports", HTMLElement);
const copy = find("copy-exports", HTMLButtonElement);
const copied = find("copied", HTMLElement);
const noMoney = find("no-money", HTMLElement);

/** What was told of each account. @type {Map<string, string>} */
const told = new Map();

copy.addEventListener("click", copyLines);

/**
 * What a person types to use an account. It is shown, and asked for, only while nothing was bought with it.
 * @param {AccountSummary} account
 */
export async function refreshEnvironment({ name, orders, balance }) {
  if (orders > 0) return;
  noMoney.hidden = Number(balance) > 0;
  // The lines of another account must not stand here, not even for a moment: they have its key.
  show(name);
  /** @type {Environment | null} */
  const news = await readNews(`environment of ${name}`, accountPath(name, "/environment"));
  if (news === null) return;
  told.set(name, Object.entries(news).map(writeLine).join("\n"));
  show(name);
}

/** @param {string} name */
function show(name) {
  const text = told.get(name) ?? "";
  if (lines.textContent === text) return;
  setText(lines, text);
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
