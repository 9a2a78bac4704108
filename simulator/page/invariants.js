import { countOf } from "./amounts.js";
import { element, find, setText } from "./elements.js";

/** @import { Invariant } from "./answers.d.ts" */

const box = find("invariants", HTMLDetailsElement);
const verdict = find("verdict", HTMLElement);
const list = find("invariant-list", HTMLElement);

/** What must always be true of each account. @param {{ hold: boolean, checks: readonly Invariant[] }} result */
export function showInvariants({ hold, checks }) {
  const broken = checks.filter(({ holds }) => !holds);
  box.className = hold ? "holds" : "broken";
  setText(verdict, hold ? "✓ Invariants hold" : `✗ ${countOf(broken.length, "invariant")} broken`);
  list.replaceChildren(...[...broken, ...checks.filter(({ holds }) => holds)].map(makeLine));
}

/** @param {Invariant} invariant */
function makeLine({ account, name, holds, detail }) {
  return element(
    "li",
    { className: holds ? "holds" : "broken" },
    element("span", {}, `${holds ? "✓" : "✗"} ${account}: ${name}`),
    ...(detail ? [" ", element("b", {}, detail)] : []),
  );
}
