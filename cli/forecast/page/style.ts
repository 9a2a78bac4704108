/** The only style of the page. Its hash stands in the page's security policy, so it is one text. */
export const style = `
:root {
  --ground: #f6f6f3; --panel: #fff; --edge: #dfdfd9; --text: #1c1c1a; --muted: #65655f;
  --line: #3d3d38; --renews: #7338a8; --ends: #b9500a; --bad: #b3261e; --paid: #2257c4; --renewed: #b5c8ee;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #141413; --panel: #1d1d1b; --edge: #34342f; --text: #e8e8e2; --muted: #a3a39b;
    --line: #c6c6bf; --renews: #c8a0f2; --ends: #f0a263; --bad: #ff9d94; --paid: #8fb3ff; --renewed: #33456b;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem; max-width: 72rem; background: var(--ground); color: var(--text);
  font: 14px / 1.45 system-ui, sans-serif; font-variant-numeric: tabular-nums;
}
h1 { font-size: 1.25rem; margin: 0 0 0.25rem; }
h2 { font-size: 1rem; margin: 0 0 0.5rem; }
p { margin: 0 0 0.5rem; }
.muted, .note { color: var(--muted); }
.bad { color: var(--bad); font-weight: 600; }
section { background: var(--panel); border: 1px solid var(--edge); border-radius: 8px; padding: 1rem; margin-top: 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th[scope="row"] { white-space: nowrap; }
th, td { text-align: left; font-weight: 400; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--edge); vertical-align: top; }
thead th { color: var(--muted); font-size: 0.75rem; }
.amount { text-align: right; white-space: nowrap; }
.bar { min-width: 8rem; width: 45%; padding-right: 0; }
tr:target { outline: 2px solid var(--paid); }
svg { display: block; width: 100%; overflow: visible; }
svg.balance { height: 14rem; margin: 0.5rem 0; }
.bar svg { height: 1.25rem; }
svg text { fill: var(--muted); font-size: 0.75rem; }
.zero { stroke: var(--edge); }
.level { stroke: var(--line); stroke-width: 2; stroke-linecap: square; }
rect.paid { fill: var(--paid); }
rect.renewed { fill: var(--renewed); }
circle { stroke: var(--panel); stroke-width: 1.5; }
circle.renews { fill: var(--renews); }
circle.ends, circle.renewsUnpriced { fill: var(--ends); }
circle.notCovered { fill: var(--bad); }
.bar line { stroke: var(--renews); stroke-width: 2; }
.bar line.ends, .bar line.renewsUnpriced { stroke: var(--ends); }
.bar line.notCovered { stroke: var(--bad); }
a:focus-visible { outline: 2px solid var(--paid); outline-offset: 2px; }
a:focus-visible circle { stroke: var(--text); stroke-width: 3; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0; padding: 0; color: var(--muted); }
.legend svg { display: inline-block; width: 12px; height: 12px; vertical-align: -1px; }
@media (max-width: 40rem) {
  body { padding: 0.5rem; }
  section { padding: 0.75rem; }
  .narrow thead { display: none; }
  .narrow tr { display: block; padding: 0.5rem 0; border-bottom: 1px solid var(--edge); }
  .narrow th, .narrow td { display: block; width: auto; border: 0; padding: 0; text-align: left; }
  .narrow td:empty { display: none; }
  .narrow [data-title]::before { content: attr(data-title) ": "; color: var(--muted); font-size: 0.75rem; }
}
`;
