/**
 * Finds the parts of a workbook: sheets, styles and shared texts, by the relationships of its package.
 *
 * Source: ECMA-376, part 2, 9.3 (relationships) and part 1, 18.2 (workbook).
 */
import { ParseError } from "../../errors.ts";
import type { ZipArchive, ZipEntry } from "../zip/zip_archive.ts";
import { isTrue, readWholePart, relationshipId } from "./_xml_part.ts";

export interface WorkbookSheet {
  readonly name: string;
  /** Its position among the sheets with cells, from 1. */
  readonly number: number;
  readonly isHidden: boolean;
  /** The file of its cells; absent if the workbook lacks it. */
  readonly entry: ZipEntry | undefined;
}

export interface WorkbookParts {
  readonly sheets: readonly WorkbookSheet[];
  readonly styles: ZipEntry | undefined;
  readonly sharedTexts: ZipEntry | undefined;
  /** Whether days are counted from 1904. */
  readonly is1904: boolean;
  /** Whether stored values of formulas are not those that Excel shows: it computes them when it opens the workbook. */
  readonly isComputedOnOpening: boolean;
  readonly tablesOf: (sheet: WorkbookSheet) => Promise<readonly ZipEntry[]>;
}

interface Relationship {
  /** Last word of its type, such as `worksheet`: what comes before differs between editions of the standard. */
  readonly type: string;
  readonly target: string;
}

interface Options {
  readonly name: string;
  readonly signal?: AbortSignal;
}

/** Reads the list of sheets. @throws {ParseError} If the archive is not a workbook. */
export async function readWorkbookParts(archive: ZipArchive, options: Options): Promise<WorkbookParts> {
  const files = new Map(archive.entries.map((entry) => [partKey(entry.name), entry]));
  const relationships = async (part: string): Promise<ReadonlyMap<string, Relationship>> => {
    const slash = part.lastIndexOf("/") + 1;
    const entry = files.get(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`);
    return entry === undefined ? new Map() : await readRelationships(archive, entry, part.slice(0, slash), options);
  };
  const roots = [...(await relationships("")).values()];
  const main = roots.find(({ type }) => type === "officeDocument")?.target ?? "xl/workbook.xml";
  const workbook = files.get(main);
  if (workbook === undefined || !main.endsWith(".xml")) throw notAWorkbook(options.name, files);
  const related = await relationships(main);
  const fileOf = (type: string) => {
    const found = [...related.values()].find((relationship) => relationship.type === type);
    return found && files.get(found.target);
  };
  const sheets: WorkbookSheet[] = [];
  let [is1904, isComputedOnOpening, isWorkbook] = [false, false, false];
  await readWholePart(archive, workbook, {
    onOpen({ own: name }, attributes) {
      if (name === "workbook") isWorkbook = true;
      if (name === "workbookPr") is1904 = isTrue(attributes.get("date1904"));
      if (name === "calcPr") isComputedOnOpening = isTrue(attributes.get("fullCalcOnLoad"));
      if (name !== "sheet") return;
      const relationship = related.get(relationshipId(attributes) ?? "");
      // Charts and dialogs have tabs of their own, without cells.
      if (relationship !== undefined && relationship.type !== "worksheet") return;
      const entry = relationship && files.get(relationship.target);
      const isHidden = (attributes.get("state") ?? "visible") !== "visible";
      sheets.push({ name: attributes.get("name") ?? "", number: sheets.length + 1, isHidden, entry });
    },
    onText() {},
    onClose() {},
  }, options);
  if (!isWorkbook) throw notAWorkbook(options.name, files);
  const tablesOf = async ({ entry }: WorkbookSheet) => {
    const found = entry === undefined ? [] : [...(await relationships(partKey(entry.name))).values()];
    return found.flatMap(({ type, target }) => type === "table" ? files.get(target) ?? [] : []);
  };
  const [styles, sharedTexts] = [fileOf("styles"), fileOf("sharedStrings")];
  return { sheets, styles, sharedTexts, is1904, isComputedOnOpening, tablesOf };
}

async function readRelationships(
  archive: ZipArchive,
  entry: ZipEntry,
  folder: string,
  options: Options,
): Promise<ReadonlyMap<string, Relationship>> {
  const found = new Map<string, Relationship>();
  await readWholePart(archive, entry, {
    onOpen({ own }, attributes) {
      if (own !== "Relationship") return;
      const type = attributes.get("Type") ?? "";
      const target = resolveTarget(folder, attributes.get("Target") ?? "");
      found.set(attributes.get("Id") ?? "", { type: type.slice(type.lastIndexOf("/") + 1), target });
    },
    onText() {},
    onClose() {},
  }, options);
  return found;
}

/** Path of a target in the archive: relative to the folder of its part, unless it begins with a slash. */
function resolveTarget(folder: string, target: string): string {
  return partKey(URL.parse(target, `file:///${folder}`)?.pathname ?? target);
}

/** Names of parts are compared without case; some programs write backslashes, or a slash first. */
function partKey(name: string): string {
  const path = name.replaceAll("\\", "/").replace(/^\/+/, "");
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    return path.toLowerCase();
  }
}

function notAWorkbook(name: string, files: ReadonlyMap<string, ZipEntry>): ParseError {
  const what = files.has("xl/workbook.bin")
    ? "it is a binary workbook (.xlsb); save it as .xlsx, or the sheet as CSV"
    : files.has("content.xml") && files.has("mimetype")
    ? "it is an OpenDocument file; save it as .xlsx, or the sheet as CSV"
    : "it is a ZIP archive, and not an Excel workbook; unpack the table first, or save the sheet as CSV";
  return new ParseError(`Cannot read ${name}: ${what}`);
}
