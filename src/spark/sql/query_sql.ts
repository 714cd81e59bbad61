/**
 * A plan as one SQL statement.
 *
 * Rows have an order only where one is stated: a slice takes the first rows by their position in the table's files, or
 * by the keys of a sort and then all columns, so that every engine takes the same.
 */
import {
  nameOf,
  type PlanExpression,
  type PlanNode,
  type SortKey,
  type ValueType,
} from "@seqreg/core/engine/plan/plan";
import { unsupported } from "@seqreg/core/engine/plan/unsupported";
import { quotedName, type SqlDialect } from "./dialect.ts";
import { isInteger } from "./typed_sql.ts";
import { type Columns, ExpressionWriter, needsOrder, type TypedSql } from "./expression_sql.ts";
import { firstOfSorted } from "./_sorted_sql.ts";
import { as, named, POSITION, select } from "./_clauses.ts";

/** A table of the lake, as statements name it. */
export interface SqlTable {
  /** The lake's name for it. */
  readonly name: string;
  readonly rows: number;
  /** Name of a view that has its columns. */
  readonly view: string;
  /** SQL of a row's position in the table, from 0, over the columns of the view. */
  readonly position: string;
  /** Types of its columns, in order. */
  readonly columns: Columns;
}

/** A frame of this process that a statement reads under a name. */
export interface SqlFrame {
  readonly name: string;
  /** An Arrow IPC stream. */
  readonly arrow: Uint8Array;
}

/** What a plan is written with. */
export interface QueryOptions {
  readonly dialect: SqlDialect;
  /** The table whose files are scanned. @throws {TypeError} If they are of no table. */
  readonly tableOf: (paths: readonly string[]) => SqlTable;
  /** Types of the columns of a frame. */
  readonly columnsOf: (arrow: Uint8Array) => Columns;
}

/** A statement, with all that it reads. */
export interface QueryStatement {
  readonly sql: string;
  /** Frames that travel with the statement. */
  readonly frames: readonly SqlFrame[];
  /** Names of the tables that it reads. */
  readonly tables: readonly string[];
  /** Types of the columns of its result, in order. */
  readonly columns: Columns;
}

/**
 * Writes a plan as SQL.
 *
 * @throws {TypeError} If a part of it has no translation; the message names the part.
 */
export function compileQuery(plan: PlanNode, options: QueryOptions): QueryStatement {
  const compiler = new QueryCompiler(options);
  const { sql, columns } = plan.kind === "sort" ? compiler.sorted(plan.input, plan.keys) : compiler.relation(plan);
  return { sql, columns, frames: compiler.frames, tables: [...compiler.tables] };
}

interface Relation {
  readonly sql: string;
  readonly columns: Columns;
  /** Whether it has every row of its table. */
  readonly isWhole: boolean;
  /** Where rows have positions: a number above all of them. */
  readonly positions?: number;
  /** Columns of which no two rows have the same values, where that is known. */
  readonly unique?: readonly string[];
}

class QueryCompiler {
  readonly frames: SqlFrame[] = [];
  readonly tables = new Set<string>();
  readonly #options: QueryOptions;
  #aliases = 0;

  constructor(options: QueryOptions) {
    this.#options = options;
  }

  /** SQL of rows; with their position, if that is asked for. */
  relation(node: PlanNode, withPosition = false): Relation {
    switch (node.kind) {
      case "scan": {
        const { name, rows: positions, view, columns, position } = this.#options.tableOf(node.paths);
        this.tables.add(name);
        const items = [...named(columns.keys()), ...withPosition ? [as(position, POSITION)] : []];
        const rows = { sql: select(items, quotedName(view)), columns, isWhole: true, positions };
        return node.rowNumbers === undefined ? rows : this.#numbered(node, node.rowNumbers, withPosition);
      }
      case "frame": {
        if (withPosition) throw unsupported("the order of the rows of a frame");
        const columns = this.#options.columnsOf(node.arrow);
        const name = `seqreg_frame_${this.frames.length}`;
        this.frames.push({ name, arrow: node.arrow });
        return { sql: select(named(columns.keys()), quotedName(name)), columns, isWhole: true };
      }
      case "select": {
        const { input, hasOrder } = this.#input(node.input, node.expressions, withPosition);
        return this.#select(input, node.expressions, { withPosition, hasOrder });
      }
      case "extend": {
        const { input, hasOrder } = this.#input(node.input, node.expressions, withPosition);
        const { columns } = input;
        const added = new Map(node.expressions.map((expression) => [nameOf(expression), expression]));
        const kept = [...columns.keys()].map((name): PlanExpression => added.get(name) ?? { kind: "column", name });
        const expressions = [...kept, ...[...added].filter(([name]) => !columns.has(name)).map(([, one]) => one)];
        return this.#select(input, expressions, { withPosition, hasOrder, only: "row" });
      }
      case "filter": {
        const input = this.relation(node.input, withPosition);
        const { sql, over, type } = this.#writer(input.columns).write(node.condition);
        if (over === "group" || type !== "boolean") throw unsupported("a filter by anything but a condition on rows");
        return {
          ...input,
          sql: `${select(named(input.columns.keys(), withPosition), this.#sub(input))} WHERE ${sql}`,
          isWhole: false,
        };
      }
      case "group":
        if (withPosition) throw unsupported("the order of groups");
        return this.#group(node.input, node.keys, node.aggregates);
      case "distinct": {
        if (withPosition) throw unsupported("the order of distinct rows");
        const input = this.relation(node.input);
        const unique = [...input.columns.keys()];
        return { ...input, sql: select(["DISTINCT *"], this.#sub(input)), isWhole: false, unique };
      }
      case "union":
        return this.#union(node.inputs, withPosition);
      case "slice":
        return this.#slice(node, withPosition);
      case "sort":
        throw unsupported("sort() before another step than limit(): rows keep no order between steps");
      case "rowNumbers":
        return this.#numbered(node.input, node.rowNumbers, withPosition);
      case "join":
        if (withPosition) throw unsupported("the order of the rows of a join");
        return this.#join(node);
    }
  }

  /** SQL of rows in an order that only rows equal in every column share. */
  sorted(node: PlanNode, keys: readonly SortKey[]): Relation {
    const { input, order, rest } = this.#order(node, keys);
    const by = [...order.map(({ value, direction }) => value + direction), ...rest];
    return {
      ...input,
      sql: `${select(named(input.columns.keys()), this.#sub(input))} ORDER BY ${by.join(", ")}`,
      isWhole: false,
    };
  }

  /** Rows, and by what they are sorted: by the keys, and then by all columns. */
  #order(node: PlanNode, keys: readonly SortKey[]) {
    const input = this.relation(node);
    const writer = this.#writer(input.columns);
    const order = keys.map(({ by, descending, nullsLast }) => {
      const { sql, type, over } = writer.write(by);
      if (type === "list" || over !== "row") throw unsupported("a sort by anything but values of rows");
      return { value: sql, direction: ` ${descending ? "DESC" : "ASC"} NULLS ${nullsLast ? "LAST" : "FIRST"}` };
    });
    const rest = [...input.columns].filter(([, type]) => type !== "list").map(([name]) =>
      `${quotedName(name)} ASC NULLS FIRST`
    );
    return { input, order, rest };
  }

  #writer(columns: Columns, hasOrder = false): ExpressionWriter {
    return new ExpressionWriter(columns, this.#options.dialect, hasOrder ? quotedName(POSITION) : undefined);
  }

  /** Rows that expressions are computed of: with their positions, where these need an order. */
  #input(
    node: PlanNode,
    expressions: readonly PlanExpression[],
    withPosition: boolean,
  ): { readonly input: Relation; readonly hasOrder: boolean } {
    const frames = this.frames.length;
    const input = this.relation(node, withPosition);
    if (withPosition || !expressions.some((one) => needsOrder(one, input.columns))) {
      return { input, hasOrder: withPosition };
    }
    this.frames.length = frames;
    return { input: this.relation(node, true), hasOrder: true };
  }

  #sub({ sql }: Relation): string {
    return `(${sql}) AS t${this.#aliases++}`;
  }

  #select(
    input: Relation,
    expressions: readonly PlanExpression[],
    { withPosition, hasOrder, only }: {
      readonly withPosition: boolean;
      /** Whether the input has positions. */
      readonly hasOrder: boolean;
      readonly only?: TypedSql["over"];
    },
  ): Relation {
    const writer = this.#writer(input.columns, hasOrder);
    const written = expressions.map((one) => ({ name: nameOf(one), ...writer.write(one) }));
    const overs = new Set(written.map(({ over }) => over));
    if (overs.has("group") && (overs.has("row") || only === "row")) {
      throw unsupported("an aggregate together with values of rows");
    }
    if (overs.size === 1 && overs.has("constant")) throw unsupported("a select of constants alone");
    const isGroup = overs.has("group");
    if (isGroup && withPosition) throw unsupported("the order of aggregates");
    const items = written.map(({ name, sql }) => as(sql, name));
    if (withPosition) items.push(quotedName(POSITION));
    const kept = new Set(expressions.flatMap((one) => one.kind === "column" ? one.name : []));
    const { unique, ...rest } = input;
    return {
      ...rest,
      ...unique?.every((name) => kept.has(name)) && { unique },
      sql: select(items, this.#sub(input)),
      columns: columns(written),
      isWhole: input.isWhole && !isGroup,
    };
  }

  #group(node: PlanNode, keys: readonly PlanExpression[], aggregates: readonly PlanExpression[]): Relation {
    const { input, hasOrder } = this.#input(node, aggregates, false);
    const writer = this.#writer(input.columns, hasOrder);
    const written = [...keys, ...aggregates].map((one) => ({ name: nameOf(one), ...writer.write(one) }));
    for (const { over, type } of written.slice(0, keys.length)) {
      if (over !== "row" || type === "list") throw unsupported("a group by anything but values of rows");
    }
    for (const { over } of written.slice(keys.length)) {
      if (over === "row") throw unsupported("values of rows within a group");
    }
    // Positions, so that a column and an aggregate of one name differ.
    const by = keys.map((_, at) => at + 1).join(", ");
    return {
      sql: `${select(written.map(({ name, sql }) => as(sql, name)), this.#sub(input))} GROUP BY ${by}`,
      columns: columns(written),
      isWhole: false,
      unique: written.slice(0, keys.length).map(({ name }) => name),
    };
  }

  #slice({ input: node, from, count }: PlanNode & { kind: "slice" }, withPosition: boolean): Relation {
    const limit = ` LIMIT ${count}${from === 0 ? "" : ` OFFSET ${from}`}`;
    if (node.kind === "sort") {
      if (withPosition) throw unsupported("a limit() of the first rows of a sort");
      const { input, order, rest } = this.#order(node.input, node.keys);
      const byColumn = new Set(node.keys.flatMap(({ by }) => by.kind === "column" ? by.name : []));
      const unique = input.unique ?? [...input.columns.keys()];
      const sql = firstOfSorted(
        { from: this.#sub(input), names: [...input.columns.keys()], order, rest },
        { from, count, hasTies: !unique.every((name) => byColumn.has(name)), fail: this.#options.dialect.fail },
      );
      return { ...input, sql, isWhole: false };
    }
    const input = this.relation(node, true);
    const items = named(input.columns.keys(), withPosition);
    return {
      ...input,
      sql: `${select(items, this.#sub(input))} ORDER BY ${quotedName(POSITION)} ASC${limit}`,
      isWhole: false,
    };
  }

  #numbered(
    node: PlanNode,
    { name, first }: { readonly name: string; readonly first: number },
    withPosition: boolean,
  ): Relation {
    const bare = node.kind === "scan" ? { kind: "scan" as const, paths: node.paths } : node;
    const input = this.relation(bare, true);
    if (!input.isWhole) throw unsupported("numbers of the rows of a part of a table");
    const position = quotedName(POSITION);
    const number = as(first === 0 ? position : `(${position} + ${first})`, name);
    const items = [number, ...named(input.columns.keys(), withPosition)];
    return {
      ...input,
      sql: select(items, this.#sub(input)),
      columns: new Map<string, ValueType>([[name, "count"], ...input.columns]),
    };
  }

  /** Rows of all inputs: their positions are those in the inputs, one after the other. */
  #union(nodes: readonly PlanNode[], withPosition: boolean): Relation {
    const inputs = nodes.map((node) => this.relation(node, withPosition));
    const [{ columns }] = inputs;
    const typed = (columns: Columns) =>
      JSON.stringify([...columns].map(([name, type]) => [name, type === "count" ? "whole" : type]));
    if (inputs.some((input) => typed(input.columns) !== typed(columns))) {
      throw unsupported("a concat() of rows whose columns differ in name, order or type");
    }
    let positions = 0;
    const rows = inputs.map((input) => {
      const position = quotedName(POSITION);
      const items = named(columns.keys());
      if (withPosition) items.push(as(positions === 0 ? position : `(${position} + ${positions})`, POSITION));
      positions += input.positions ?? 0;
      return select(items, this.#sub(input));
    });
    return {
      sql: rows.map((one) => `(${one})`).join(" UNION ALL "),
      columns: new Map([...columns].map(([name, type]) => [
        name,
        inputs.every((input) => input.columns.get(name) === type) ? type : "whole",
      ])),
      isWhole: inputs.every(({ isWhole }) => isWhole),
      positions,
    };
  }

  #join(node: PlanNode & { kind: "join" }): Relation {
    const { how, suffix } = node;
    const [left, right] = [this.relation(node.left), this.relation(node.right)];
    const keysOf = ({ columns }: Relation, on: readonly PlanExpression[]) =>
      on.map((one) => {
        if (one.kind !== "column") throw unsupported("a join on anything but columns");
        return { name: one.name, type: this.#writer(columns).write(one).type };
      });
    const [leftKeys, rightKeys] = [keysOf(left, node.leftOn), keysOf(right, node.rightOn)];
    const [a, b] = [`t${this.#aliases++}`, `t${this.#aliases++}`];
    const of = (alias: string, name: string) => `${alias}.${quotedName(name)}`;
    const on = leftKeys.map(({ name, type }, at) => {
      const other = rightKeys[at].type;
      const isAlike = type === other || isInteger(type) && isInteger(other);
      if (!isAlike || type === "list") {
        throw unsupported("a join on other than texts, numbers, booleans or days of one type");
      }
      return `${of(a, name)} = ${of(b, rightKeys[at].name)}`;
    }).join(" AND ");
    const ours = [...left.columns.keys()].map((name) => of(a, name));
    if (how === "semi" || how === "anti") {
      const exists = `${how === "semi" ? "" : "NOT "}EXISTS (SELECT 1 FROM (${right.sql}) AS ${b} WHERE ${on})`;
      return { sql: `${select(ours, `(${left.sql}) AS ${a}`)} WHERE ${exists}`, columns: left.columns, isWhole: false };
    }
    const isKept = how === "full" && node.isCoalesced !== true;
    const theirs = [...right.columns].filter(([name]) => isKept || !rightKeys.some((key) => key.name === name))
      .map(([name, type]) => ({ name, as: left.columns.has(name) ? name + suffix : name, type }));
    const shared = [...left.columns.keys()].map((name) => {
      const at = how === "full" && !isKept ? leftKeys.findIndex((key) => key.name === name) : -1;
      return at < 0 ? of(a, name) : as(`coalesce(${of(a, name)}, ${of(b, rightKeys[at].name)})`, name);
    });
    const items = [...shared, ...theirs.map((column) => as(of(b, column.name), column.as))];
    const both = new Map([...left.columns, ...theirs.map((column) => [column.as, column.type] as const)]);
    if (both.size < items.length) throw unsupported("a join whose columns have one name");
    const words = { left: "LEFT JOIN", full: "FULL JOIN", inner: "INNER JOIN" }[how];
    return {
      sql: select(items, `(${left.sql}) AS ${a} ${words} (${right.sql}) AS ${b} ON ${on}`),
      columns: both,
      isWhole: false,
    };
  }
}

function columns(written: readonly { readonly name: string; readonly type: ValueType }[]): Columns {
  const types = new Map(written.map(({ name, type }) => [name, type]));
  if (types.size < written.length) throw unsupported("two columns of one name");
  return types;
}
