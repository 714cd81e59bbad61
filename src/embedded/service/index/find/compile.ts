/** Turns what a query means into a condition on rows, reading as little as that takes. */
import { type QueryNode, scoringWords } from "@seqreg/core/query";
import { type Condition, EveryRow } from "./_condition.ts";
import { Dictionary, type FieldNode } from "./_dictionary.ts";
import type { FindContext } from "./find_context.ts";
import { codesCondition, joinAll, joinAny, listRows, negate } from "./_join_conditions.ts";
import { manyCondition } from "./_many_field.ts";
import { matchWords, type WordMatch, type Words } from "./_word_matches.ts";

/** A query that is ready to be asked of rows. */
export interface CompiledQuery {
  /** The rows that hold it. */
  readonly condition: Condition;
  /** Rows and hits of each of its words that count for relevance. */
  scoring(): Promise<readonly WordMatch[]>;
}

export async function compileQuery(context: FindContext, node: QueryNode): Promise<CompiledQuery> {
  const compiler = new Compiler(context);
  const condition = await compiler.compile(node);
  return {
    condition: listRows(context.files, condition) ?? condition,
    async scoring() {
      const found: WordMatch[] = [];
      for (const words of scoringWords(node)) found.push(await compiler.match(words.map((word) => [word])));
      return found;
    },
  };
}

class Compiler {
  readonly #context: FindContext;
  readonly #matches = new Map<string, Promise<WordMatch>>();

  constructor(context: FindContext) {
    this.#context = context;
  }

  async compile(node: QueryNode): Promise<Condition> {
    const { files } = this.#context;
    switch (node.kind) {
      case "all":
        return new EveryRow(files.rows);
      case "and":
        return joinAll(files, await this.#compileEach(node.nodes));
      case "or":
        return joinAny(files, await this.#compileEach(node.nodes));
      case "not":
        return negate(files, await this.compile(node.node));
      case "words":
        return (await this.match(node.words)).condition;
      default:
        return await this.#compileField(node);
    }
  }

  /** Finds the rows that have words; the same words once. */
  match(words: Words): Promise<WordMatch> {
    const key = JSON.stringify(words);
    const known = this.#matches.get(key) ?? matchWords(this.#context, words);
    this.#matches.set(key, known);
    return known;
  }

  async #compileEach(nodes: readonly QueryNode[]): Promise<Condition[]> {
    const conditions: Condition[] = [];
    for (const node of nodes) conditions.push(await this.compile(node));
    return conditions;
  }

  async #compileField(node: FieldNode): Promise<Condition> {
    const { files, turns } = this.#context;
    if (files.column(node.field).kind === "many") return await manyCondition(this.#context, node);
    return codesCondition(files, node.field, await new Dictionary(files, node.field).holding(node, turns));
  }
}
