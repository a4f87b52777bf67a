/** The page's style sheet. The policy of the page allows no style attributes, so every look is a class. */
export const styles = `
:root { color-scheme: light dark; --text: #1f2328; --quiet: #59636e; --back: #fff; --card: #f6f8fa; --line: #d1d9e0;
  --accent: #0969da; --good: #116329; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #f0f6fc; --quiet: #9da7b1; --back: #0d1117; --card: #161b22;
  --line: #3d444d; --accent: #58a6ff; --good: #56d364; --bad: #ff8078; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 1100px; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .25rem 0; } .quiet, figcaption { color: var(--quiet); } .good { color: var(--good); } .bad { color: var(--bad); }
code, pre, td.address, p.address { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9em; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 8.5rem), 1fr)); gap: .75rem; margin: 1rem 0; }
.tile { padding: .6rem .75rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
.tile dt { color: var(--quiet); font-size: .9rem; } .tile dd { margin: 0; font-size: 1.2rem; font-variant-numeric: tabular-nums; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem 2rem; }
figure { margin: 0; } svg { display: block; width: 100%; height: auto; }
.bar { fill: var(--accent); } .before { fill: var(--quiet); } .axis, .grid { stroke: var(--line); } .tick { fill: var(--quiet); font-size: 13px; paint-order: stroke; stroke: var(--back); stroke-width: 4px; }
.end { text-anchor: end; } .equal { stroke: var(--quiet); stroke-dasharray: 4 4; }
.curve { fill: none; stroke: var(--accent); stroke-width: 2; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .5rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--quiet); font-weight: 600; }
figure td { white-space: normal; } .address { text-align: left; } td.address { width: 100%; white-space: normal; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin-bottom: .75rem; }
label { flex: 1 1 100%; color: var(--quiet); }
input { flex: 1 1 14rem; min-width: 0; } input, select, button { font: inherit; padding: .4rem .6rem; border: 1px solid var(--quiet);
  border-radius: .4rem; background: var(--card); color: var(--text); }
.links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
button, summary { cursor: pointer; } td button { padding: 0; border: 0; background: none; color: var(--accent); max-width: 100%;
  overflow: hidden; text-overflow: ellipsis; } .claim a { display: inline-block; padding: .4rem .8rem; border: 1px solid; border-radius: .4rem; }
html[data-state="ready"] #top { display: none; } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
#list { max-height: calc(26rem + 2px); overflow-y: scroll; border: 1px solid var(--line); border-radius: .5rem; }
#list table { position: sticky; top: 0; table-layout: fixed; } #list thead { background: var(--card); }
#list th { box-sizing: content-box; } #list th, #list td { height: 2rem; padding-block: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
pre { max-height: 16rem; overflow: auto; padding: .75rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
  white-space: pre-wrap; }
a { color: var(--accent); }
@media (max-width: 600px) { .minor { display: none; } th, td { padding-inline: .2rem; } td { font-size: .85rem; } .tag { display: block; }
  #list table { font-size: .85rem; } }
@media print {
  :root { color-scheme: light; --text: #000; --quiet: #000; --back: #fff; --card: #fff; --line: #888; --accent: #555; --good: #000;
    --bad: #000; }
  #find, #all, details { display: none; } html[data-state="ready"] #top { display: block; }
  body { max-width: none; padding: 0; font-size: .8rem; }
  h2, h3 { break-after: avoid; margin-top: 1rem; } tr, figure, .tiles, p { break-inside: avoid; }
  .charts { grid-template-columns: 1fr 1fr; }
}
`;
