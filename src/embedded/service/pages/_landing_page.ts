/**
 * The page at `/`: what this registry holds, how to ask it, and a search to try.
 *
 * It needs nothing but itself. Every value is escaped, with what would steer a line of text made visible.
 */
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { terminalText } from "@seqreg/core/io/bytes/terminal_text";
import { TOOLKIT } from "@seqreg/core/contract/version";
import { ENDPOINTS, type Operation } from "@seqreg/core/contract/paths";
import { type GrammarForm, QUERY_GRAMMAR } from "@seqreg/core/query";
import { LANDING_SCRIPT } from "./_landing_script.ts";
import { LANDING_STYLE } from "./_landing_style.ts";
import type { Example } from "../openapi/openapi_examples.ts";
import type { RegistryStore, StoredArchive } from "../store/store.ts";

export interface LandingFacts {
  readonly store: RegistryStore;
  readonly examples: readonly Example[];
  /** Where the data are from; `undefined` if the archives do not state it. */
  readonly origin: Origin | undefined;
}

export interface Origin {
  readonly isSynthetic: boolean;
  /** What the archives state about it. */
  readonly notice: string;
}

const number = new Intl.NumberFormat("en");

/** Cuts a value that would fill the page. */
function shown(text: string): string {
  return terminalText(text.length > 200 ? `${text.slice(0, 200).toWellFormed()}…` : text);
}

/** Writes the page; `base` is the address that it is called by. */
export function renderLandingPage(
  { store, examples, origin }: LandingFacts,
  base: string,
): HtmlEscapedString | Promise<HtmlEscapedString> {
  const { recordCount, fields, files, definitionsDerived, entries } = store;
  const archives = [...files.values()].filter(({ name }) => name.endsWith(".gz"));
  const bytes = archives.reduce((sum, archive) => sum + archive.bytes, 0);
  const query = examples.find(({ operation, status }) => operation === "search" && status === 200)?.body;
  return html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Sequence Registry</title>
        <link rel="icon" href="data:,">
        <style>${raw(LANDING_STYLE)}</style>
      </head>
      <body>
        <a class="skip" href="#try">Skip to the search</a>
        <header>
    <h1>Sequence Registry</h1>
    <p class="lead">Virus genome records, their metadata and their sequences, served by ${TOOLKIT}. Read-only, without a key.</p>
    ${origin === undefined
      ? html`<p class="note">Neither the manifest nor the definitions mark these data as synthetic.</p>`
      : html`<p class="note"><strong>${
        origin.isSynthetic ? "These data are synthetic." : "These data are real."
      }</strong> ${shown(origin.notice)}</p>`}
    <ul class="figures">
    <li><strong>${number.format(recordCount)}</strong> records</li>
    <li><strong>${number.format(fields.length)}</strong> public fields</li>
    <li><strong>${archives.length}</strong> archives, ${sizeOf(bytes)}</li>
    </ul>
        </header>
        <main>
          <section id="try" aria-labelledby="try-title">
            <h2 id="try-title">Try a search</h2>
            <form id="search" role="search">
              <label for="query">Query</label>
              <input id="query" name="query" type="search" autocomplete="off" spellcheck="false" maxlength="32768"
                aria-describedby="hint" value="${queryOf(query)}">
              <button type="submit">Search</button>
            </form>
            <p class="hint"
              id="hint">Clauses <code>field:value</code>, separated by spaces; an empty query is every record. Words without a field are looked for in all values. The <a href="#fields">fields</a> are listed below.</p>
            <details>
              <summary>How to write a query</summary>
              <div class="scroller" role="region" aria-label="Forms of a query" tabindex="0">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Written</th>
                      <th scope="col">Finds records where</th>
                    </tr>
                  </thead>
                  <tbody>
    ${QUERY_GRAMMAR.map(renderForm)}
                  </tbody>
                </table>
              </div>
            </details>
            <noscript><p>The form needs JavaScript; the lines below do not.</p></noscript>
            <p id="said" role="status" aria-live="polite"></p>
            <div id="found"></div>
          </section>
          <section aria-labelledby="operations-title">
    <h2 id="operations-title">The five operations</h2>
    <p>Each line works when it is pasted into a shell. All of it in OpenAPI 3.1: <a href="openapi.json">openapi.json</a>.</p>
    ${OPERATIONS.map((operation) => renderOperation(operation, examples, base))}
          </section>
          <section aria-labelledby="archives-title">
            <h2 id="archives-title">Archives</h2>
            <p>Gzip-compressed CSV, whole. Each has a checksum file that <code>sha256sum --check</code> reads.</p>
            <div class="scroller" role="region" aria-labelledby="archives-title" tabindex="0">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Archive</th>
                    <th scope="col">Size</th>
                    <th scope="col">SHA-256</th>
                    <th scope="col">Checksum</th>
                  </tr>
                </thead>
                <tbody>
    ${archives.map((archive) => renderArchive(archive, files))}
                </tbody>
              </table>
            </div>
          </section>
          <section aria-labelledby="fields">
    <h2 id="fields">Fields</h2>
    <p>${definitionsDerived
      ? "The folder has no definitions: types are what the values look like."
      : "As described by the definitions of the archives."}</p>
    <details>
    <summary>All ${number.format(fields.length)} fields</summary>
    <div class="scroller" role="region" aria-labelledby="fields" tabindex="0">
    <table>
    <thead><tr><th scope="col">Name</th><th scope="col">Alias in queries</th><th scope="col">Type</th><th scope="col">Meaning</th><th scope="col">Example</th></tr></thead>
    <tbody>
    ${fields.map(({ name, alias, type, description, unit, example }) =>
      html`
        <tr>
          <td>${shown(name)}</td>
          <td class="data">${shown(alias)}</td>
          <td>${type}</td>
          <td>${shown(description)}${unit === "" ? "" : ` [${shown(unit)}]`}</td>
          <td class="data">${shown(example)}</td>
        </tr>
      `
    )}
    </tbody>
    </table>
    </div>
    </details>
    ${entries.length === 0 ? "" : html`<h3>Remarks on the archives</h3>
<ul>${entries.map(({ text }) => html`<li>${shown(text)}</li>`)}</ul>`}
          </section>
        </main>
        <footer>
          <p>${TOOLKIT}. The embedded registry answers as the specification of the interface says; where that is silent, its description says what was chosen.</p>
        </footer>
        <script>${raw(LANDING_SCRIPT)}</script>
      </body>
    </html>
  `;
}

/** The operations as the page shows them, each by one of the examples. */
const OPERATIONS: readonly { operation: Operation; example: string; title: string; words: string }[] = [
  {
    operation: "search",
    example: "search",
    title: "Search records",
    words: "A page of the records that match, their number and facets, as JSON.",
  },
  {
    operation: "download",
    example: "matching",
    title: "Export records",
    words: "All that match, or named ones: metadata as CSV or XML, accessions as TSV or XML, sequences as FASTA.",
  },
  {
    operation: "sequence",
    example: "sequence",
    title: "Get sequences",
    words: "Sequences by their accessions, as JSON.",
  },
  {
    operation: "metadata_download",
    example: "csv",
    title: "Export definitions",
    words: "What fields mean, as CSV, JSON or XLSX by the Accept header.",
  },
  {
    operation: "datasets_download",
    example: "checksum",
    title: "Download a dataset file",
    words: "One of eight archives or its checksum file; parts of it, too, so that a download resumes.",
  },
];

function renderForm({ written, finds }: GrammarForm) {
  const queries = written.map((query, index) => html`${index === 0 ? "" : ", "}<code>${query}</code>`);
  return html`
    <tr>
      <td class="data">${queries}</td>
      <td>${finds}</td>
    </tr>
  `;
}

function renderOperation(
  { operation, example, title, words }: typeof OPERATIONS[number],
  examples: readonly Example[],
  base: string,
) {
  const { method, path } = ENDPOINTS[operation];
  const found = examples.find((shown) => shown.operation === operation && shown.name === example);
  return html`
    <article class="operation">
    <h3>${title}</h3>
    <p class="path data">${method} ${path}</p>
    <p>${words}</p>
    ${found === undefined ? "" : html`<pre><code>${curlLine(found, base)}</code></pre>`}
    </article>
  `;
}

/** Writes a request as a line for a shell; the script puts the address in that the page was really called by. */
function curlLine({ target, body, accept }: Example, base: string) {
  const headers = [
    ...accept === undefined ? [] : [` -H ${quoted(`accept: ${accept}`)}`],
    ...body === undefined ? [] : [` -H ${quoted("content-type: application/json")}`, ` -d ${quoted(jsonLine(body))}`],
  ].join("");
  return html`curl -sS '<span class="base">${base}</span>${target}'${headers}`;
}

/** Writes JSON with an escape for every character that would not be seen, or would steer the line. */
function jsonLine(body: unknown): string {
  return JSON.stringify(body).replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Quotes a text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function renderArchive({ name, bytes, sha256 }: StoredArchive, files: RegistryStore["files"]) {
  const checksum = name.replace(/\.csv\.gz$/, ".sha256");
  const link = (file: string, text: string) =>
    html`<a href="v2/datasets_download?filename=${encodeURIComponent(file)}" download>${text}</a>`;
  return html`
    <tr>
      <td>${link(name, name)}</td>
      <td class="number">${sizeOf(bytes)}</td>
      <td class="data digest">${sha256}</td>
      <td>${files.has(checksum) ? link(checksum, ".sha256") : ""}</td>
    </tr>
  `;
}

function sizeOf(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let at = 0;
  let size = bytes;
  for (; size >= 1000 && at < units.length - 1; at++) size /= 1000;
  return `${at === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${units[at]}`;
}

function queryOf(body: unknown): string {
  return typeof body === "object" && body !== null && "query" in body && typeof body.query === "string"
    ? body.query
    : "";
}
