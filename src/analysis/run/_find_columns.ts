/** Which columns of a source play the roles of an analysis. */
import { adviseName } from "@seqreg/core/options/nearest";
import { couldPlay, findRole, findTextOfNumbers, isOfNumbers, isOfTexts, type Role } from "../source/roles.ts";
import type { OpenSource, Polars } from "../source/source.ts";
import { checkSingle } from "../source/find_field.ts";
import { type SourceColumn, TEXT_TYPE } from "../source/source_column.ts";
import type { AnalysisOptions } from "./analysis.ts";
import { type NumberTexts, readNumberTexts, withNumbers, withTexts } from "./number_texts.ts";
import { exactColumn } from "@seqreg/core/engine/frames";

export interface FoundColumns {
  /** The source, with numbers in place of texts where a role of numbers needs them. */
  readonly source: OpenSource;
  readonly columns: ReadonlyMap<Role, SourceColumn>;
  /** What columns of texts hold that play a role of numbers because the caller named them, or could play it. */
  readonly read: ReadonlyMap<Role, NumberTexts>;
}

/** Finds the columns; what an analysis needs and is only there as text is read, so that it can be said why. */
export async function findColumns(
  pl: Polars,
  opened: OpenSource,
  { needs, uses, options }: {
    readonly needs: readonly Role[];
    readonly uses: readonly Role[];
    readonly options: AnalysisOptions;
  },
): Promise<FoundColumns> {
  const signal = options.signal && { signal: options.signal };
  let source = opened;
  const columns = new Map<Role, SourceColumn>();
  for (const role of [...needs, ...uses]) {
    const preferred = options.roles?.[role] ?? source.roles?.[role] ?? [];
    const column = options.fields?.[role] !== undefined
      ? namedColumn(source, role, options.fields[role])
      : role === "accession" && source.idField !== undefined
      ? source.columns.find(({ name }) => name === source.idField)
      : findRole(await wholeNumbers(pl, source, { role, ...signal }), role, { preferred });
    if (column === undefined) continue;
    checkValues(column, role);
    columns.set(role, column);
  }
  for (const [role, { name }] of columns) {
    const column = source.columns.find((column) => column.name === name)!;
    if (!isOfTexts(role) || !/^Float/.test(column.dtype) || await isWhole(pl, source, { column, ...signal })) continue;
    source = await withTexts(pl, source, { column, ...signal });
    columns.set(role, source.columns.find((column) => column.name === name)!);
  }
  const read = new Map<Role, NumberTexts>();
  for (const [role, column] of columns) {
    if (!isOfNumbers(role) || !TEXT_TYPE.test(column.dtype)) continue;
    const texts = await readNumberTexts(pl, source, { column, role, ...signal });
    source = withNumbers(pl, source, { column, numbers: texts.numbers });
    columns.set(role, source.columns.find(({ name }) => name === column.name)!);
    read.set(role, texts);
  }
  for (const role of needs) {
    const column = columns.has(role) ? undefined : findTextOfNumbers(source.columns, role);
    if (column !== undefined) {
      read.set(role, await readNumberTexts(pl, source, { column, role, ...signal }));
    }
  }
  return { source, columns, read };
}

/**
 * The columns of a source; those of floats that could play a role of texts, and hold whole numbers only, as integers.
 */
async function wholeNumbers(
  pl: Polars,
  source: OpenSource,
  { role, signal }: { readonly role: Role; readonly signal?: AbortSignal },
): Promise<readonly SourceColumn[]> {
  const whole: SourceColumn[] = [];
  for (const column of source.columns) {
    const isNumber = couldPlay(column, role) && await isWhole(pl, source, { column, signal });
    whole.push(isNumber ? { ...column, type: "integer" } : column);
  }
  return whole;
}

/** Whether all numbers of a column of floats are whole. */
async function isWhole(
  pl: Polars,
  { scan, collect }: OpenSource,
  { column, signal }: { readonly column: SourceColumn; readonly signal?: AbortSignal },
): Promise<boolean> {
  const value = exactColumn(pl, column.name);
  const broken = scan().select(value).filter(value.isNotNull().and(value.isNotNan())).filter(
    value.cast(pl.Int64, false).cast(pl.Float64).neq(value).fillNull(pl.lit(true)),
  );
  return (await collect(broken.limit(1), { signal })).height === 0;
}

/** Refuses a column whose values cannot be of a role: a number of days is not a length. */
function checkValues(column: SourceColumn, role: Role): void {
  const doing = `use ${JSON.stringify(column.name)} as ${role}`;
  checkSingle(column, doing);
  if (!isOfNumbers(role) || TEXT_TYPE.test(column.dtype) || NUMBERS.test(column.dtype)) return;
  throw new RangeError(`Cannot ${doing}: its values are of type ${column.dtype}; name a field of numbers`);
}

const NUMBERS = /^(U?Int|Float|Decimal|Null)/;

function namedColumn({ columns }: OpenSource, role: Role, name: string): SourceColumn {
  const found = columns.find((column) => column.name === name);
  if (found !== undefined) return found;
  const names = columns.map((column) => column.name);
  throw new RangeError(
    `Cannot use ${JSON.stringify(name)} as ${role}: the data has no such field; ${adviseName(name, names)}`,
  );
}
