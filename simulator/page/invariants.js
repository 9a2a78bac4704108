import { countOf } from "./amounts.js";
import { makeDisclosure } from "./disclosure.js";
import { element, find, setText } from "./elements.js";
import { keepReachable } from "./reachable.js";

/** @import { Invariant } from "./answers.d.ts" */

const verdict = find("verdict", HTMLButtonElement);
const told = find("verdict-told", HTMLElement);
const list = find("invariant-list", HTMLElement);
const panel = find("invariants", HTMLElement);
makeDisclosure(verdict, panel);
keepReachable(panel, list);

/** What must always be true of each account. @param {{ hold: boolean, checks: readonly Invariant[] }} result */
export function showInvariants({ hold, checks }) {
  const broken = checks.filter(({ holds }) => !holds);
  verdict.className = hold ? "holds" : "broken";
  setText(verdict, hold ? "✓ Invariants hold" : `✗ ${countOf(broken.length, "invariant")} broken`);
  // Only what is wrong is worth an interruption.
  setText(told, hold ? "" : `${countOf(broken.length, "invariant")} broken`);
  list.replaceChildren(...[...broken, ...checks.filter(({ holds }) => holds)].map(makeLine));
}

/** @param {Invariant} invariant */
function makeLine({ account, name, holds, detail }) {
  return element(
    "li",
    { className: holds ? "" : "broken" },
    element("span", {}, `${holds ? "✓" : "✗"} ${account}: ${name}`),
    ...(detail ? [" ", element("b", {}, detail)] : []),
  );
}
