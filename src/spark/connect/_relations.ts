/** Plans of the protocol: a statement with its arguments and frames, files, a view, a write. */
import { ERROR_IF_EXISTS, type Request } from "./_messages.ts";
import type { SparkFrame } from "./frame.ts";
import { boundArguments, type SparkParameters } from "./parameters.ts";

export interface ExecutedPlan {
  /** `spark.connect.Plan`. */
  readonly message: Request;
  readonly frames: readonly string[];
}

export interface ViewFiles {
  readonly parts: readonly string[];
  /** Columns about the files in addition to theirs: field by name, such as `_metadata.row_index`. */
  readonly fields?: Readonly<Record<string, string>>;
}

export interface Statement {
  /** Text in Spark's SQL. */
  readonly sql: string;
  /** Values of `?` or `:name`. */
  readonly parameters?: SparkParameters;
  /** Frames that it reads by name. */
  readonly frames?: readonly SparkFrame[];
}

/** Plan that yields the rows of a statement. */
export function rowsPlan(statement: Statement): ExecutedPlan {
  return { message: { opType: { case: "root", value: statementRelation(statement) } }, frames: namesOf(statement) };
}

/** Name of the metric in which the engine counts the rows that it writes. */
export const WRITTEN_ROWS = "seqreg: rows";

/**
 * Plan that has the engine write the rows of a statement as Parquet, into a folder that must not exist.
 *
 * The rows are counted on their way to the files, not read from them: executors that do not share the folder write
 * files that the driver does not see.
 */
export function writePlan(statement: Statement, location: string): ExecutedPlan {
  const one = { exprType: { case: "literal", value: { literalType: { case: "long", value: 1n } } } };
  const count = { exprType: { case: "unresolvedFunction", value: { functionName: "count", arguments: [one] } } };
  const metrics = [{ exprType: { case: "alias", value: { expr: count, name: ["rows"] } } }];
  const counted = { input: statementRelation(statement), name: WRITTEN_ROWS, metrics };
  const value = {
    input: { relType: { case: "collectMetrics", value: counted } },
    source: "parquet",
    saveType: { case: "path", value: pathOf(location) },
    mode: ERROR_IF_EXISTS,
    options: { compression: "zstd" },
  };
  return command({ case: "writeOperation", value }, namesOf(statement));
}

/**
 * Plan that replaces the temporary view of its name by one of Parquet files.
 *
 * Exactly the list is read: names are not patterns, and folders in them are not columns; a file that is absent
 * or damaged is an error when it is read.
 *
 * @throws {TypeError} If Spark would leave out a file for its name.
 */
export function viewPlan(name: string, { parts, fields }: ViewFiles): ExecutedPlan {
  // Spark's `HadoopFSUtils.shouldFilterOutPathName` leaves such files out, without a word, also where they are named.
  const hidden = parts.find((part) => /(^|\/)[._][^/]*$|\._COPYING_$/.test(part));
  if (hidden !== undefined) {
    throw new TypeError(
      `Cannot create the view ${
        JSON.stringify(name)
      } with ${hidden}: Spark reads no file whose name begins with . or _`,
    );
  }
  const options = { recursiveFileLookup: "true", ignoreMissingFiles: "false", ignoreCorruptFiles: "false" };
  const dataSource = { format: "parquet", paths: parts.map(literalPath), options };
  const files = { relType: { case: "read", value: { readType: { case: "dataSource", value: dataSource } } } };
  const input = fields === undefined ? files : extendedRelation(files, fields);
  return command({
    case: "createDataframeView",
    value: { input, name: `\`${name.replaceAll("`", "``")}\``, isGlobal: false, replace: true },
  }, []);
}

/** Bytes of frames that go with a statement: a server takes messages of 128 MiB. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;

/** The columns of a relation, and more columns. */
function extendedRelation(input: Request, fields: Readonly<Record<string, string>>): Request {
  const star = { exprType: { case: "unresolvedStar", value: {} } };
  const more = Object.entries(fields).map(([name, field]) => {
    const expr = { exprType: { case: "unresolvedAttribute", value: { unparsedIdentifier: field } } };
    return { exprType: { case: "alias", value: { expr, name: [name] } } };
  });
  return { relType: { case: "project", value: { input, expressions: [star, ...more] } } };
}

function statementRelation({ sql, parameters, frames = [] }: Statement): Request {
  const bytes = frames.reduce((total, { arrow }) => total + arrow.length, 0);
  if (bytes > MAX_FRAME_BYTES) {
    throw new RangeError(`Cannot send frames of ${bytes} bytes: with a statement go at most ${MAX_FRAME_BYTES}`);
  }
  const root = { relType: { case: "sql", value: { query: sql, ...boundArguments(parameters) } } };
  if (frames.length === 0) return root;
  const references = frames.map(({ name, arrow }) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new TypeError(`Cannot read a frame as ${JSON.stringify(name)}: expected a name of letters, digits and _`);
    }
    const input = { relType: { case: "localRelation", value: { data: arrow } } };
    return { relType: { case: "subqueryAlias", value: { alias: name, input } } };
  });
  return { relType: { case: "withRelations", value: { root, references } } };
}

function namesOf({ frames = [] }: Statement): string[] {
  return frames.map(({ name }) => name);
}

function command(commandType: Request, frames: readonly string[]): ExecutedPlan {
  return { message: { opType: { case: "command", value: { commandType } } }, frames };
}

/** A path as a pattern of Hadoop that matches it alone. */
function literalPath(location: string): string {
  return pathOf(location).replace(/[\\{}[\]*?]/g, "\\$&");
}

/** A path of this machine is one for Spark too, whatever its default file system is. */
function pathOf(location: string): string {
  return location.startsWith("/") ? `file://${location}` : location;
}
