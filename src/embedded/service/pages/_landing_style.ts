/** Style of the landing page: system fonts, light and dark, any width. */
export const LANDING_STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1b2530; --soft: #51606e; --page: #ffffff; --card: #f3f6f8; --line: #ccd5dc;
  --accent: #00587c; --on-accent: #ffffff; --fault: #a3210e; --note: #fff3d1; --note-line: #c58b00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6ebef; --soft: #a7b3bd; --page: #12181e; --card: #1c252d; --line: #3a4753;
    --accent: #78c6ea; --on-accent: #0b1b24; --fault: #ff9d8a; --note: #332a11; --note-line: #d3a52f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
header, main, footer { max-width: 74rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2.25rem; }
footer { margin: 3rem auto 2rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); }
h1 { margin: 0; font-size: 2.1rem; line-height: 1.2; letter-spacing: -0.01em; }
h2 { margin: 2.75rem 0 0.75rem; font-size: 1.4rem; line-height: 1.3; }
h3 { margin: 0 0 0.25rem; font-size: 1.05rem; }
p { margin: 0 0 0.75rem; max-width: 48rem; }
.lead { margin-top: 0.4rem; color: var(--soft); font-size: 1.1rem; }
.note {
  max-width: none; margin: 1.25rem 0 0; padding: 0.7rem 1rem; background: var(--note);
  border-left: 4px solid var(--note-line); border-radius: 0.25rem;
}
.figures { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1.5rem 0 0; padding: 0; list-style: none; }
.figures li { flex: 1 1 10rem; padding: 0.8rem 1rem; background: var(--card); border-radius: 0.4rem; color: var(--soft); }
.figures strong { display: block; color: var(--ink); font-size: 1.6rem; line-height: 1.2; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 0.2rem; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; padding: 0.4rem 0.8rem; background: var(--page); }
code, pre, .data { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.875em; }
.data code, pre code { font-size: 1em; }
pre {
  margin: 0.5rem 0 0; padding: 0.75rem 1rem; overflow-x: auto; background: var(--page);
  border: 1px solid var(--line); border-radius: 0.3rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere;
}
.operation { margin: 0 0 1rem; padding: 1rem 1.25rem; background: var(--card); border-radius: 0.4rem; }
.operation p { margin: 0; }
.path { margin: 0 0 0.25rem; color: var(--accent); font-weight: 600; overflow-wrap: anywhere; }
form { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: end; margin: 0 0 0.5rem; }
label { flex: 1 1 100%; font-weight: 600; }
input {
  flex: 1 1 18rem; min-width: 0; padding: 0.55rem 0.75rem; font: inherit; color: inherit; background: var(--page);
  border: 1px solid var(--soft); border-radius: 0.3rem;
}
button {
  padding: 0.55rem 1.4rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent);
  border: 1px solid var(--accent); border-radius: 0.3rem; cursor: pointer;
}
.hint { color: var(--soft); font-size: 0.925rem; }
#said { min-height: 1.55em; font-weight: 600; overflow-wrap: anywhere; }
#said.fault { color: var(--fault); }
.scroller { overflow-x: auto; border: 1px solid var(--line); border-radius: 0.4rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.925rem; }
caption { padding: 0.5rem 0.8rem; color: var(--soft); text-align: left; }
th, td { padding: 0.45rem 0.8rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
th { background: var(--card); white-space: nowrap; }
td { overflow-wrap: break-word; min-width: 6rem; max-width: 26rem; white-space: pre-line; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.digest { max-width: 21rem; overflow-wrap: anywhere; min-width: 11rem; }
details { margin: 1rem 0 0; }
summary { cursor: pointer; color: var(--accent); font-weight: 600; }
details > :not(summary) { margin-top: 0.75rem; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: 0.3rem 1rem; margin: 0; font-size: 0.925rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: 0.5rem; } }
`;
