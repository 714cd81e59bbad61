/** The ledger under a cell: green when complete, with the reasons when not. */
import { type Ledger, listSome, type Provenance } from "@seqreg/core/contract/ledger";
import { cut, DATA_CLASS, escapeHtml, type MediaBundle, visible } from "@seqreg/core/io/display";
import { describePage, isWithoutMatch } from "@seqreg/core/contract/pages/ledger_page";

/** Reasons and warnings that are shown. */
const MOST_LINES = 50;

/**
 * Writes a ledger for a notebook.
 *
 * @param provenance Where the result comes from, if that is to be shown.
 * @returns HTML in which every value is escaped, and plain text in words.
 */
export function ledgerView(ledger: Ledger, provenance?: Provenance): MediaBundle {
  const sentence = describeLedger(ledger, provenance);
  const all = [
    ...ledger.reasons.map((reason) => ({ mark: "✗", text: reason })),
    ...ledger.warnings.map((warning) => ({ mark: "!", text: warning })),
  ];
  const rest = all.length - MOST_LINES;
  const lines = rest <= 0 ? all : [...all.slice(0, MOST_LINES), { mark: "…", text: `and ${rest} more` }];
  const source = provenance === undefined ? "" : describeProvenance(provenance);
  const [colour, mark] = isWithoutMatch(ledger)
    ? ["#757575", "∅"]
    : ledger.complete
    ? ["#2e7d32", "✓"]
    : ["#c62828", "✗"];
  const items = lines.map(({ mark, text }) => `<li>${mark} ${escapeHtml(cut(text, 600))}</li>`).join("");
  return {
    "text/plain": [sentence, ...lines.map(({ mark, text }) => `  ${mark} ${text}`), source].filter((line) =>
      line !== ""
    )
      .map(visible).join("\n"),
    "text/html":
      `<div class="seqreg-ledger ${DATA_CLASS}" role="note" style="border-left:4px solid ${colour};padding:2px 8px;margin:4px 0">` +
      `<span>${mark} ${escapeHtml(sentence)}</span>` +
      (items === "" ? "" : `<ul style="margin:2px 0;padding-left:1em;list-style:none">${items}</ul>`) +
      (source === "" ? "" : `<div><small style="opacity:.7">${escapeHtml(cut(source, 600))}</small></div>`) +
      `</div>`,
  };
}

/**
 * Describes in one sentence what a ledger holds.
 *
 * @param provenance Where the result comes from: it tells which page of a search it is.
 */
export function describeLedger(ledger: Ledger, provenance?: Provenance): string {
  // A ledger that an older toolkit wrote knows of nothing that was not asked for.
  const { complete, asked, promised, received, unasked = [] } = ledger;
  const page = provenance && describePage(ledger, provenance);
  // A registry's promise is how many records match. A page keeps it, though it holds only some of them.
  const isPage = complete && asked === null && promised !== null && received < promised;
  const counts = page !== undefined
    ? [page]
    : isWithoutMatch(ledger)
    ? []
    : asked === null && promised !== null
    ? [`${promised} match`, isPage ? `this page holds ${received}` : `received ${received}`]
    : [
      asked === null ? "" : `asked for ${asked}`,
      promised === null ? "" : `promised ${promised}`,
      `received ${received}`,
    ];
  const parts = [
    ...counts,
    ledger.duplicate === 0 ? "" : `${ledger.duplicate} of them again`,
    ledger.missing.length === 0 ? "" : `missing ${ledger.missing.length} (${listSome(ledger.missing, 20)})`,
    unasked.length === 0 ? "" : `not asked for ${unasked.length} (${listSome(unasked, 20)})`,
    ledger.unparsed === 0 ? "" : `unreadable ${ledger.unparsed}`,
    ledger.truncated ? "cut by a limit" : "",
  ].filter((part) => part !== "");
  if (isWithoutMatch(ledger)) return ["No records match", ...parts].join(", ");
  return `${isPage ? "Complete page" : complete ? "Complete" : "Incomplete"}: ${parts.join(", ")}`;
}

function describeProvenance({ operation, registry, bytes, finished, toolkit }: Provenance): string {
  const from = registry === null ? "" : ` from ${registry}`;
  return `${operation}${from}, ${bytes.toLocaleString("en")} bytes, ${finished}, ${toolkit}`;
}
