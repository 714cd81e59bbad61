/**
 * Reads polars' serialized plan, as `LazyDataFrame.serialize("json")` of nodejs-polars 0.25.2 writes it. It is not a
 * stable interface: what is not known here, down to single options, is an error that names it, and tests compare plans
 * with those that are committed.
 */
import type { LazyDataFrame } from "nodejs-polars";
import { messageOf } from "../../errors.ts";
import type { LiteralValue, PlanExpression, PlanNode, RowNumbers, SortKey } from "./plan.ts";
import { bytes, fields, list, type Tagged, tagged, text, whole } from "./_json.ts";
import { readExpression, type ReadValues } from "./_read_expression.ts";
import { unsupported } from "./unsupported.ts";

/** Options of a select that change nothing about its rows. */
const SELECT_OPTIONS = { options: [{ run_parallel: true, duplicate_check: true, should_broadcast: true }] };

/** The plan of a query. @throws {TypeError} If a part of it is unknown; the message names it. */
export async function planOf(query: LazyDataFrame): Promise<PlanNode> {
  const { readIPCStream } = (await import("nodejs-polars")).default;
  const { Buffer } = await import("node:buffer");
  const readValues = (arrow: Uint8Array): LiteralValue[] =>
    readIPCStream(Buffer.from(arrow)).getColumns()[0].toArray().map((value) => {
      if (value === null || ["string", "number", "bigint", "boolean"].includes(typeof value)) return value;
      throw unsupported("isIn() of other than texts and numbers");
    });
  return readPlan(serializedPlan(query), readValues);
}

/** A query as polars writes it. */
export function serializedPlan(query: LazyDataFrame): string {
  try {
    return new TextDecoder().decode(query.serialize("json"));
  } catch (cause) {
    throw unsupported(`a function that polars does not write down (${messageOf(cause).slice(0, 120)})`);
  }
}

export function readPlan(json: string, readValues: ReadValues): PlanNode {
  const expression = (value: unknown) => readExpression(value, readValues);
  const expressions = (value: unknown, where: string) => list(value, where).map(expression);
  const node = (value: unknown): PlanNode => {
    const step = tagged(value, "the plan");
    switch (step.name) {
      case "Scan":
        return readScan(step);
      case "DataFrameScan":
        return { kind: "frame", arrow: bytes(fields(step, ["df", "schema"]).df, step.name) };
      case "Select": {
        const { expr, input } = fields(step, ["expr", "input"], SELECT_OPTIONS);
        return { kind: "select", input: node(input), expressions: expressions(expr, step.name) };
      }
      case "HStack": {
        const { exprs, input } = fields(step, ["exprs", "input"], SELECT_OPTIONS);
        return { kind: "extend", input: node(input), expressions: expressions(exprs, step.name) };
      }
      case "Filter": {
        const { input, predicate } = fields(step, ["input", "predicate"]);
        return { kind: "filter", input: node(input), condition: expression(predicate) };
      }
      case "GroupBy": {
        const { input, keys, aggs } = fields(step, ["input", "keys", "aggs"], {
          predicates: [[]],
          // polars' default is true, and rows have an order only where a sort states one.
          maintain_order: [true, false],
          options: [{ dynamic: null, rolling: null, slice: null }],
          apply: [null],
        });
        return {
          kind: "group",
          input: node(input),
          keys: expressions(keys, step.name),
          aggregates: expressions(aggs, step.name),
        };
      }
      case "Distinct": {
        const { input } = fields(step, ["input"], {
          options: [true, false].map((maintain_order) => ({ subset: null, maintain_order, keep_strategy: "Any" })),
        });
        return { kind: "distinct", input: node(input) };
      }
      case "Sort":
        return { kind: "sort", input: node(fields(step, SORT_FIELDS).input), keys: sortKeys(step, expressions) };
      case "Union": {
        const { inputs, args } = fields(step, ["inputs", "args"]);
        fields({ name: step.name, body: args }, [], UNION_ARGS);
        return { kind: "union", inputs: list(inputs, step.name).map(node) };
      }
      case "Slice": {
        const { input, offset, len } = fields(step, ["input", "offset", "len"]);
        const from = whole(offset, step.name);
        if (from < 0) throw unsupported("a slice from the end");
        return { kind: "slice", input: node(input), from, count: whole(len, step.name) };
      }
      case "MapFunction": {
        const { input, function: called } = fields(step, ["input", "function"]);
        const map = tagged(called, step.name);
        if (map.name !== "RowIndex") throw unsupported(`the step ${map.name}`);
        return { kind: "rowNumbers", input: node(input), rowNumbers: rowNumbers(map) };
      }
      case "Join":
        return readJoin(step, node, expressions);
    }
    throw unsupported(`the step ${step.name}`);
  };
  return node(JSON.parse(json));
}

function readScan(step: Tagged): PlanNode {
  const { sources, unified_scan_args, scan_type } = fields(step, ["sources", "unified_scan_args", "scan_type"]);
  const { name: format } = tagged(scan_type, "Scan");
  if (format !== "Parquet") throw unsupported(`a scan of ${format}`);
  const paths = list(fields({ name: "Scan", body: sources }, ["Paths"]).Paths, "Scan")
    .map((path) => text(fields({ name: "Scan", body: path }, ["inner"]).inner, "Scan"));
  const scan = { name: "Scan", body: unified_scan_args };
  // Of these the rows depend; the other options say how files are read in this process.
  const { row_index } = fields({ ...scan, body: rowOptions(scan) }, ["row_index"], {
    pre_slice: [null],
    include_file_paths: [null],
    projection: [null],
    column_mapping: [null],
    deletion_files: [null],
    default_values: [null],
  });
  return {
    kind: "scan",
    paths,
    ...row_index !== null && { rowNumbers: rowNumbers({ name: "RowIndex", body: row_index }) },
  };
}

/** Options of a scan that do not change its rows. */
const READING_OPTIONS = [
  "schema",
  "cloud_options",
  "hive_options",
  "rechunk",
  "cache",
  "glob",
  "hidden_file_prefix",
  "cast_columns_policy",
  "missing_columns_policy",
  "extra_columns_policy",
  "table_statistics",
  "row_count",
];

function rowOptions({ body }: Tagged): unknown {
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !READING_OPTIONS.includes(name)));
}

function rowNumbers(node: Tagged): RowNumbers {
  const { name, offset } = fields(node, ["name", "offset"]);
  return { name: text(name, node.name), first: offset === null ? 0 : whole(offset, node.name) };
}

/** Rows one below the other. That types be cast to a common one is asked for always: those that differ are refused. */
const UNION_ARGS = {
  parallel: [true, false],
  rechunk: [true, false],
  maintain_order: [true],
  to_supertypes: [true],
  diagonal: [false],
  strict: [true, false],
  from_partitioned_ds: [false],
};

const SORT_FIELDS = ["input", "by_column", "slice", "sort_options"];

function sortKeys(
  step: Tagged,
  expressions: (value: unknown, where: string) => PlanExpression[],
): SortKey[] {
  const { by_column, sort_options } = fields(step, ["input", "by_column", "sort_options"], { slice: [null] });
  const options = fields({ name: step.name, body: sort_options }, ["descending", "nulls_last"], {
    multithreaded: [true, false],
    maintain_order: [true, false],
    limit: [null],
  });
  const [descending, nullsLast] = [options.descending, options.nulls_last].map((each) => list(each, step.name));
  // One flag stands for all keys.
  const flag = (flags: readonly unknown[], at: number) => flags[flags.length === 1 ? 0 : at] === true;
  return expressions(by_column, step.name).map((by, at) => ({
    by,
    descending: flag(descending, at),
    nullsLast: flag(nullsLast, at),
  }));
}

const JOINS: Readonly<Record<string, "inner" | "left" | "full" | "semi" | "anti">> = {
  Inner: "inner",
  Left: "left",
  Full: "full",
  Semi: "semi",
  Anti: "anti",
};

function readJoin(
  step: Tagged,
  node: (value: unknown) => PlanNode,
  expressions: (value: unknown, where: string) => PlanExpression[],
): PlanNode {
  const { input_left, input_right, left_on, right_on, options } = fields(
    step,
    ["input_left", "input_right", "left_on", "right_on", "options"],
    { predicates: [[]] },
  );
  const { args } = fields({ name: step.name, body: options }, ["args"], {
    allow_parallel: [true, false],
    force_parallel: [true, false],
  });
  const { how, suffix, coalesce } = fields({ name: step.name, body: args }, ["how", "suffix", "coalesce"], {
    validation: ["ManyToMany"],
    slice: [null],
    nulls_equal: [false],
    maintain_order: ["None"],
    build_side: [null],
  });
  const kind = typeof how === "string" ? JOINS[how] : undefined;
  if (kind === undefined) throw unsupported(`a join of the kind ${JSON.stringify(how)}`);
  // Of a full join alone the keys of the right side stay, unless they are asked to be joined.
  if (coalesce === "KeepColumns" && kind !== "full") throw unsupported("Join with coalesce KeepColumns");
  return {
    kind: "join",
    how: kind,
    ...kind === "full" && { isCoalesced: coalesce === "CoalesceColumns" },
    left: node(input_left),
    right: node(input_right),
    leftOn: expressions(left_on, step.name),
    rightOn: expressions(right_on, step.name),
    suffix: suffix === null ? "_right" : text(suffix, step.name),
  };
}
