/** Writes a large workbook in bounded memory, as spreadsheet programs do: shared texts, numbers and date-times. */
import { crc32 } from "node:zlib";

/** Columns of its sheet; the first row is the header. */
export const COLUMNS = 20;
const ROWS_OF_PIECE = 1000;
/** Texts that repeat. */
const COUNTRIES = ["Peru", "Côte d’Ivoire", "Kenya &amp; Uganda", "Chile"];
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Writes a workbook with so many rows, the header's included. */
export async function writeWorkbook(path: string, rows: number): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  const directory: Uint8Array[] = [];
  for (const [name, pieces] of Object.entries(parts(rows))) directory.push(await writePart(file, name, pieces));
  const offset = file.seekSync(0, Deno.SeekMode.Current);
  for (const entry of directory) await file.write(entry);
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  for (const at of [8, 10]) end.setUint16(at, directory.length, true);
  end.setUint32(12, size, true);
  end.setUint32(16, offset, true);
  await file.write(new Uint8Array(end.buffer));
}

function parts(rows: number): Record<string, Iterable<string>> {
  const related = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"/>`;
  const content = (part: string, type: string) =>
    `<Override PartName="/xl/${part}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`;
  return {
    "[Content_Types].xml": [
      `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.` +
      `openxmlformats-package.relationships+xml"/>${content("workbook", "sheet.main")}${
        content("worksheets/sheet1", "worksheet")
      }${content("styles", "styles")}${content("sharedStrings", "sharedStrings")}</Types>`,
    ],
    "_rels/.rels": [
      `<Relationships xmlns="${PACKAGE}/relationships">${
        related("rId1", "officeDocument", "xl/workbook.xml")
      }</Relationships>`,
    ],
    "xl/_rels/workbook.xml.rels": [
      `<Relationships xmlns="${PACKAGE}/relationships">${related("rId1", "worksheet", "worksheets/sheet1.xml")}${
        related("rId2", "styles", "styles.xml")
      }${related("rId3", "sharedStrings", "sharedStrings.xml")}</Relationships>`,
    ],
    "xl/workbook.xml": [
      `<workbook ${MAIN} xmlns:r="${TYPES}"><sheets><sheet name="data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    "xl/styles.xml": [
      `<styleSheet ${MAIN}><fonts count="1"><font/></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/>` +
      '</borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0"/>' +
      '<xf numFmtId="22"/></cellXfs></styleSheet>',
    ],
    "xl/sharedStrings.xml": sharedTexts(rows),
    "xl/worksheets/sheet1.xml": sheet(rows),
  };
}

/** The header, texts that repeat, then one of its own for each row. */
function* sharedTexts(rows: number): Generator<string> {
  yield `${DECLARATION}<sst ${MAIN}>`;
  for (let column = 0; column < COLUMNS; column++) yield `<si><t>column ${column}</t></si>`;
  for (const country of COUNTRIES) yield `<si><t>${country}</t></si>`;
  for (let row = 2; row <= rows; row++) yield `<si><t>strain/${row}/2024</t></si>`;
  yield "</sst>";
}

function* sheet(rows: number): Generator<string> {
  const letters = Array.from({ length: COLUMNS }, (_, column) => String.fromCharCode(65 + column));
  yield `${DECLARATION}<worksheet ${MAIN}><dimension ref="A1:T${rows}"/><sheetData>`;
  for (let row = 1; row <= rows; row++) {
    yield `<row r="${row}" spans="1:${COLUMNS}">${
      letters.map((letter, column) => `<c r="${letter}${row}"${cell(row, column)}</v></c>`).join("")
    }</row>`;
  }
  yield "</sheetData></worksheet>";
}

function cell(row: number, column: number): string {
  if (row === 1) return ` t="s"><v>${column}`;
  if (column === 0) return ` t="s"><v>${COLUMNS + COUNTRIES.length + row - 2}`;
  if (column % 4 === 0) return ` t="s"><v>${COLUMNS + row % COUNTRIES.length}`;
  if (column % 4 === 1) return `><v>${row * column}`;
  if (column % 4 === 2) return `><v>${row + column / 32}`;
  // Quarters of days are exact in binary: a reader that cuts seconds reads them as one that rounds.
  return ` s="1"><v>${40_000 + (row % 10_000) / 4}`;
}

/** Writes a compressed part; returns its entry of the directory. */
async function writePart(file: Deno.FsFile, name: string, pieces: Iterable<string>): Promise<Uint8Array> {
  const path = new TextEncoder().encode(name);
  const offset = file.seekSync(0, Deno.SeekMode.Current);
  await file.write(new Uint8Array(30 + path.length));
  let [crc, size] = [0, 0];
  const text = ReadableStream.from(utf8(pieces, (bytes) => {
    crc = crc32(bytes, crc);
    size += bytes.length;
  }));
  let compressed = 0;
  for await (const chunk of text.pipeThrough(new CompressionStream("deflate-raw"))) {
    for (let at = 0; at < chunk.length;) at += await file.write(chunk.subarray(at));
    compressed += chunk.length;
  }
  const fields = new DataView(new ArrayBuffer(26));
  fields.setUint16(0, 20, true);
  fields.setUint16(4, 8, true);
  for (const [at, value] of [[10, crc], [14, compressed], [18, size]]) fields.setUint32(at, value, true);
  fields.setUint16(22, path.length, true);
  const common = new Uint8Array(fields.buffer);
  const local = Uint8Array.of(0x50, 0x4b, 3, 4, ...common, ...path);
  const end = file.seekSync(0, Deno.SeekMode.Current);
  file.seekSync(offset, Deno.SeekMode.Start);
  await file.write(local);
  file.seekSync(end, Deno.SeekMode.Start);
  const last = new DataView(new ArrayBuffer(14));
  last.setUint32(10, offset, true);
  return Uint8Array.of(0x50, 0x4b, 1, 2, 20, 0, ...common, ...new Uint8Array(last.buffer), ...path);
}

function* utf8(pieces: Iterable<string>, onBytes: (bytes: Uint8Array) => void): Generator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let [text, count] = ["", 0];
  const flush = () => {
    const bytes = encoder.encode(text);
    [text, count] = ["", 0];
    onBytes(bytes);
    return bytes;
  };
  for (const piece of pieces) {
    text += piece;
    if (++count === ROWS_OF_PIECE) yield flush();
  }
  yield flush();
}
