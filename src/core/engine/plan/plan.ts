/**
 * A polars query as a tree: what other engines are asked to compute. Only nodes that have exactly one meaning on every
 * engine are in it.
 */

/**
 * A type of values. Counts and numbers of rows have a type of their own: in polars they have 32 bits without a sign, so
 * that a difference of two wraps, which it does on no other engine.
 */
export type ValueType = "text" | "whole" | "count" | "float" | "boolean" | "day" | "list" | "null";

/** A constant. */
export type LiteralValue = string | number | bigint | boolean | null;

/** An operator between two values. */
export type BinaryOperator =
  | "eq"
  | "neq"
  | "lt"
  | "lteq"
  | "gt"
  | "gteq"
  | "add"
  | "sub"
  | "mul"
  | "div"
  | "mod"
  | "and"
  | "or";

/** A function of one value that returns true, false or null. */
export type Predicate = "isNull" | "isNotNull" | "isNan" | "isNotNan" | "isFinite" | "isInfinite" | "not";

/** A number or a text made of the rows of a group. */
export type Aggregate = "sum" | "min" | "max" | "count" | "countDistinct" | "mean";

/** How a quantile between two values is chosen: the nearer of them, the lower, the higher, or a line between them. */
export type QuantileMethod = "nearest" | "lower" | "higher" | "linear";

/** An expression over the columns of a row, or of the rows of a group. */
export type PlanExpression =
  | { readonly kind: "column"; readonly name: string }
  | { readonly kind: "literal"; readonly type: ValueType; readonly value: LiteralValue }
  | { readonly kind: "alias"; readonly name: string; readonly of: PlanExpression }
  | {
    readonly kind: "cast";
    readonly of: PlanExpression;
    readonly to: ValueType;
    /** Whether a value that does not fit is an error; otherwise it becomes null. */
    readonly strict: boolean;
  }
  | {
    readonly kind: "binary";
    readonly operator: BinaryOperator;
    readonly left: PlanExpression;
    readonly right: PlanExpression;
  }
  | {
    readonly kind: "choice";
    readonly when: PlanExpression;
    readonly then: PlanExpression;
    readonly otherwise: PlanExpression;
  }
  | { readonly kind: "predicate"; readonly predicate: Predicate; readonly of: PlanExpression }
  | { readonly kind: "isIn"; readonly of: PlanExpression; readonly values: readonly LiteralValue[] }
  | { readonly kind: "fillNull"; readonly of: PlanExpression; readonly by: PlanExpression }
  | { readonly kind: "abs"; readonly of: PlanExpression }
  | {
    readonly kind: "matches";
    readonly of: PlanExpression;
    /** A pattern in the grammar of Rust's `regex`, or a text that is looked for. */
    readonly pattern: string;
    readonly isText: boolean;
  }
  | { readonly kind: "beginsWith" | "endsWith"; readonly of: PlanExpression; readonly text: string }
  | { readonly kind: "lastCharacters"; readonly of: PlanExpression; readonly count: number }
  | { readonly kind: "withoutPrefix"; readonly of: PlanExpression; readonly characters: string }
  | {
    readonly kind: "replaceAll";
    readonly of: PlanExpression;
    readonly pattern: string;
    readonly by: string;
  }
  | { readonly kind: "rows" }
  /** Rank of a row by a value among those of its group, from 1; equal values in their order, null for null. */
  | { readonly kind: "rank"; readonly of: PlanExpression; readonly within: readonly PlanExpression[] }
  /** Rows for which a condition holds, within an aggregate. */
  | { readonly kind: "only"; readonly of: PlanExpression; readonly condition: PlanExpression }
  | { readonly kind: "withoutNulls"; readonly of: PlanExpression }
  | { readonly kind: "aggregate"; readonly aggregate: Aggregate; readonly of: PlanExpression }
  /** The quantile of the values of a group, at a share from 0 to 1. */
  | { readonly kind: "quantile"; readonly of: PlanExpression; readonly at: number; readonly method: QuantileMethod }
  /** The variance of the values of a group, or its root, the standard deviation. */
  | { readonly kind: "spread"; readonly of: PlanExpression; readonly isRoot: boolean; readonly isSample: boolean }
  /** The first or the last value of a group in the order of the rows. */
  | { readonly kind: "end"; readonly of: PlanExpression; readonly end: "first" | "last" };

export interface SortKey {
  readonly by: PlanExpression;
  readonly descending: boolean;
  readonly nullsLast: boolean;
}

/** A step of a query. */
export type PlanNode =
  | { readonly kind: "scan"; readonly paths: readonly string[]; readonly rowNumbers?: RowNumbers }
  /** Rows of a frame in this process: an Arrow IPC stream. */
  | { readonly kind: "frame"; readonly arrow: Uint8Array }
  | { readonly kind: "select"; readonly input: PlanNode; readonly expressions: readonly PlanExpression[] }
  | { readonly kind: "extend"; readonly input: PlanNode; readonly expressions: readonly PlanExpression[] }
  | { readonly kind: "filter"; readonly input: PlanNode; readonly condition: PlanExpression }
  | {
    readonly kind: "group";
    readonly input: PlanNode;
    readonly keys: readonly PlanExpression[];
    readonly aggregates: readonly PlanExpression[];
  }
  | { readonly kind: "distinct"; readonly input: PlanNode }
  /** The rows of each input, in the order of the inputs; columns have the same names, order and types in all. */
  | { readonly kind: "union"; readonly inputs: readonly PlanNode[] }
  | { readonly kind: "sort"; readonly input: PlanNode; readonly keys: readonly SortKey[] }
  | { readonly kind: "slice"; readonly input: PlanNode; readonly from: number; readonly count: number }
  | { readonly kind: "rowNumbers"; readonly input: PlanNode; readonly rowNumbers: RowNumbers }
  | {
    readonly kind: "join";
    readonly how: "inner" | "left" | "full" | "semi" | "anti";
    /** Whether a full join has one column for the keys of both sides; otherwise the right side's stay. */
    readonly isCoalesced?: boolean;
    readonly left: PlanNode;
    readonly right: PlanNode;
    readonly leftOn: readonly PlanExpression[];
    readonly rightOn: readonly PlanExpression[];
    readonly suffix: string;
  };

export interface RowNumbers {
  readonly name: string;
  readonly first: number;
}

export function nameOf(expression: PlanExpression): string {
  switch (expression.kind) {
    case "column":
    case "alias":
      return expression.name;
    case "literal":
      return "literal";
    case "rows":
      return "len";
    case "binary":
      return nameOf(expression.left);
    case "choice":
      return nameOf(expression.then);
    default:
      return nameOf(expression.of);
  }
}

/** Whether a test holds for an expression, or for one within it. */
export function someExpression(expression: PlanExpression, test: (one: PlanExpression) => boolean): boolean {
  if (test(expression)) return true;
  return Object.values(expression).flat().some((part) => isExpression(part) && someExpression(part, test));
}

function isExpression(part: unknown): part is PlanExpression {
  return typeof part === "object" && part !== null && "kind" in part;
}
