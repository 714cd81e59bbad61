/** How a live table looks, in the colours of the page around it. Runs in the browser; see `../cells.ts`. */

/** Writes the style for a height of the heads and of a row, in pixels. */
export function liveStyle(head: number, row: number): string {
  const paper = "var(--jp-layout-color1, Canvas)";
  const line = "var(--jp-border-color2, #8886)";
  return `.seqreg-live { color: var(--jp-ui-font-color1, CanvasText); font-size: 12px; max-width: 100% }
.seqreg-live button, .seqreg-live input { font: inherit; color: inherit }
.seqreg-live input { background: ${paper}; border: 1px solid ${line}; border-radius: 2px; padding: 1px 4px; box-sizing: border-box }
.seqreg-live-tools { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding: 4px 0 }
.seqreg-live-tools [role=status] { flex: 1 1 16em; font-weight: bold }
.seqreg-live-tools input { width: 9em }
.seqreg-live-view { overflow: auto; position: relative; border: 1px solid ${line}; contain: strict }
.seqreg-live-grid { position: relative }
.seqreg-live-top { position: sticky; top: 0; height: ${head}px; z-index: 2; background: ${paper}; border-bottom: 1px solid ${line}; box-sizing: border-box }
.seqreg-live-head { position: absolute; top: 0; height: ${
    head - 1
  }px; padding: 2px 6px; box-sizing: border-box; display: flex; flex-direction: column; gap: 2px }
.seqreg-live-corner, .seqreg-live-number { position: sticky; left: 0; z-index: 1; width: 84px; box-sizing: border-box; background: ${paper}; display: inline-block }
.seqreg-live-corner { height: ${head - 1}px }
.seqreg-live .seqreg-live-sort { all: unset; cursor: pointer; font-weight: bold; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.seqreg-live-head small { opacity: .8; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.seqreg-live-range { height: 40px; flex: none; cursor: crosshair }
.seqreg-live-range canvas { width: 100%; height: 40px; display: block }
.seqreg-live-head input { width: 100% }
.seqreg-live .seqreg-live-on { border-color: #3b82f6; outline: 1px solid #3b82f6 }
.seqreg-live-fault { position: absolute; left: 6px; top: ${
    head - 2
  }px; z-index: 3; background: ${paper}; border: 1px solid #dc2626; padding: 2px 6px; white-space: normal; width: 20em }
.seqreg-live-fault:empty, .seqreg-live-message:empty { display: none }
.seqreg-live-edge { position: absolute; right: 0; top: 0; width: 5px; height: 100%; cursor: col-resize; border-right: 1px solid ${line} }
.seqreg-live-body { position: sticky; top: ${head}px; height: 0; overflow: visible }
.seqreg-live-row { position: absolute; left: 0; right: 0; height: ${row}px; line-height: ${row}px; background: ${paper} }
.seqreg-live-odd, .seqreg-live-odd .seqreg-live-number { background: var(--jp-rendermime-table-row-background, ${paper}) }
.seqreg-live-row[aria-selected=true] { background: #3b82f640 }
.seqreg-live-row[aria-selected=true] .seqreg-live-number { background: linear-gradient(#3b82f640, #3b82f640) ${paper} }
.seqreg-live-number { text-align: right; padding: 0 8px; color: color-mix(in srgb, currentColor 80%, transparent); cursor: pointer }
.seqreg-live-cell { position: absolute; top: 0; height: ${row}px; padding: 0 6px; box-sizing: border-box; overflow: hidden; text-overflow: ellipsis; white-space: pre }
.seqreg-live-right { text-align: right }
.seqreg-live-null { opacity: .7; font-style: italic }
.seqreg-live :focus-visible { outline: 2px solid currentColor; outline-offset: -2px }
.seqreg-live-panel { border: 1px solid ${line}; border-radius: 3px; padding: 6px 10px; margin: 4px 0; max-width: 70em }
.seqreg-live-record { max-height: 24em; overflow: auto; margin-bottom: 6px }
.seqreg-live-record > div { display: flex; gap: 12px; padding: 1px 0 }
.seqreg-live-record strong { flex: 0 0 min(40%, 20em) }
.seqreg-live-record span { overflow-wrap: anywhere; white-space: pre-wrap }
.seqreg-live-record small { font-weight: normal }
.seqreg-live-columns { max-height: 16em; overflow: auto; columns: 22em; margin-bottom: 6px }
.seqreg-live-columns > div { display: flex; gap: 4px; align-items: center; break-inside: avoid }
.seqreg-live-columns label { flex: 1 }
.seqreg-live-code { overflow: auto; max-height: 12em; padding: 6px; border: 1px solid ${line} }
.seqreg-live-message { padding: 4px 0 }`;
}
