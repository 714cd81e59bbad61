/** Workbooks out of raw XML, for tests. */
import { copyBytes } from "../../../../src/core/io/bytes/join_bytes.ts";
import { textFile } from "../../../../tools/packages/toolkit/packed_file.ts";
import { writeZip } from "../../../../tools/packages/wheel/zip.ts";

/** A sheet: its rows as XML, or all of its XML. */
export interface SheetXml {
  readonly name?: string;
  readonly state?: "visible" | "hidden" | "veryHidden";
  /** What stands within `sheetData`. */
  readonly rows?: string;
  /** The whole part, instead of `rows`. */
  readonly xml?: string;
}

/** What a workbook consists of beyond its sheets. */
export interface WorkbookXml {
  /** Codes of number formats; cells with `s="1"` have the first, `s="2"` the second. `s="0"` is a plain number. */
  readonly formats?: readonly (string | number)[];
  /** Inner XML of each shared text. */
  readonly shared?: readonly string[];
  /** Attributes of `workbookPr` and `calcPr`. */
  readonly properties?: string;
  readonly calculation?: string;
  /** Parts that are replaced, by path; `undefined` leaves one out. */
  readonly parts?: Readonly<Record<string, string | undefined>>;
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";

export function workbookParts(sheets: readonly SheetXml[], xml: WorkbookXml = {}): Record<string, string> {
  const { formats = [], shared = [], properties = "", calculation = "", parts = {} } = xml;
  const relationship = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const custom = formats.map((code, index) => [typeof code === "number" ? code : 164 + index, code] as const);
  const all: Record<string, string | undefined> = {
    "_rels/.rels": `<Relationships xmlns="${PACKAGE}">${
      relationship("rId1", "officeDocument", "xl/workbook.xml")
    }</Relationships>`,
    "xl/workbook.xml": `<workbook ${MAIN} xmlns:r="${OFFICE}"><workbookPr ${properties}/><sheets>${
      sheets.map(({ name, state = "visible" }, index) =>
        `<sheet name="${name ?? `Sheet${index + 1}`}" sheetId="${index + 1}" state="${state}" r:id="rId${index + 1}"/>`
      ).join("")
    }</sheets><calcPr ${calculation}/></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${PACKAGE}">${
      sheets.map((_, index) => relationship(`rId${index + 1}`, "worksheet", `worksheets/sheet${index + 1}.xml`)).join(
        "",
      )
    }${relationship("rId98", "styles", "styles.xml")}${
      relationship("rId99", "sharedStrings", "sharedStrings.xml")
    }</Relationships>`,
    "xl/styles.xml": `<styleSheet ${MAIN}><numFmts>${
      custom.map(([id, code]) =>
        typeof code === "number" ? "" : `<numFmt numFmtId="${id}" formatCode="${code.replaceAll('"', "&quot;")}"/>`
      ).join("")
    }</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${
      custom.map(([id]) => `<xf numFmtId="${id}"/>`).join("")
    }</cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst ${MAIN}>${shared.map((text) => `<si>${text}</si>`).join("")}</sst>`,
    ...Object.fromEntries(sheets.map(({ rows = "", xml }, index) => [
      `xl/worksheets/sheet${index + 1}.xml`,
      xml ?? `<?xml version="1.0"?>\n<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`,
    ])),
    ...parts,
  };
  const kept: Record<string, string> = {};
  for (const [path, text] of Object.entries(all)) if (text !== undefined) kept[path] = text;
  return kept;
}

export function makeWorkbook(sheets: readonly SheetXml[], xml: WorkbookXml = {}): Promise<Uint8Array<ArrayBuffer>> {
  return zipOf(workbookParts(sheets, xml));
}

/** Makes a ZIP archive of texts and bytes. */
export async function zipOf(
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const entries = Object.entries(files).map(([path, content]) =>
    typeof content === "string" ? textFile(path, content) : { path, read: () => Promise.resolve(content) }
  );
  return copyBytes(await Array.fromAsync(writeZip(entries)));
}

/** A row of cells by their XML without `r`, such as `<c><v>1</v></c>`, or of plain texts. */
export function row(number: number, ...cells: readonly string[]): string {
  const letters = cells.map((_, index) => String.fromCharCode(65 + index));
  return `<row r="${number}">${
    cells.map((cell, index) =>
      cell.startsWith("<c")
        ? cell.replace("<c", `<c r="${letters[index]}${number}"`)
        : `<c r="${letters[index]}${number}" t="inlineStr"><is><t>${cell}</t></is></c>`
    ).join("")
  }</row>`;
}
