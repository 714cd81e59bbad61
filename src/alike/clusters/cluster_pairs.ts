/** Pairs of representatives and members of a lake, and their sequences. */
import { RegistryError } from "@seqreg/core/errors";
import { finite } from "@seqreg/again/columns";
import { openSide, type SideTable } from "@seqreg/again/open_side";
import { findRoleByName, type Role } from "@seqreg/analysis/source/roles";
import { ScratchSql, sqlName, sqlText } from "@seqreg/core/engine/local/scratch_sql";

/** A pair as the lake states it. */
export interface StatedPair {
  /** Accession of the representative. */
  readonly representative: string;
  /** Accession of the member. */
  readonly member: string;
  /** Identity of the two as a share of 1; null where it is missing. */
  readonly identity: number | null;
  /** Covered share; null where it is missing. */
  readonly coverage: number | null;
}

export interface PairCounts {
  /** Pairs of a representative and another member. */
  readonly pairs: number;
  /** Pairs of which the member has more bases than the representative. */
  readonly longerMembers: number;
}

/** Bounds of the strata of stated identity, as shares. */
const STRATA = [1, 0.99, 0.97, 0.95, 0.9];

/** The clusters of a lake, open for reading. */
export class ClusterPairs implements AsyncDisposable {
  readonly #sql: ScratchSql;
  readonly #sequences: string;

  private constructor(sql: ScratchSql, sequences: string) {
    this.#sql = sql;
    this.#sequences = sequences;
  }

  /** Opens a lake. @throws {RegistryError} With code `disk` if it has no pairs or no sequences. */
  static async open(lake: string, folder: string, signal?: AbortSignal): Promise<ClusterPairs> {
    const options = signal === undefined ? {} : { signal };
    const side = await openSide(lake, { folder: `${folder}/source`, types: "text", ...options });
    const found = side.tables.map((table) => ({ table, columns: pairColumns(table) }))
      .find(({ columns }) => columns !== undefined);
    const [sequences] = side.tables.filter(({ sequence, idField }) => sequence !== undefined && idField !== undefined)
      .sort((a, b) => (b.rows ?? 0) - (a.rows ?? 0) || (a.name < b.name ? -1 : 1));
    if (found?.columns === undefined || sequences === undefined) {
      const missing = sequences === undefined ? "sequences" : "pairs of representative, member and identity";
      const next = "build the lake of a folder that has the comparison metrics of clusters and the sequences";
      throw new RegistryError("disk", `Cannot check the clusters of ${lake}: it has no table of ${missing}; ${next}`);
    }
    const sql = await ScratchSql.open({ files: [...found.table.files, ...sequences.files], folder, ...options });
    try {
      const { representative, member, identity, coverage } = found.columns;
      const share = (column: string | undefined) =>
        column === undefined ? "NULL::DOUBLE" : finite(`TRY_CAST(${sqlName(column)} AS DOUBLE)`);
      await sql.run(
        `CREATE TABLE pairs AS SELECT ${sqlName(representative)}::VARCHAR AS representative, ` +
          `${sqlName(member)}::VARCHAR AS member, ${share(identity)} AS identity, ${share(coverage)} AS coverage ` +
          `FROM ${await sql.parquet(found.table.files)}`,
      );
      // Some deployments state percent, others shares of 1.
      for (const column of ["identity", "coverage"]) {
        const [[most]] = await sql.all(`SELECT max(${column}) FROM pairs`);
        if (Number(most) > 1) await sql.run(`UPDATE pairs SET ${column} = ${column} / 100`);
      }
      const rows = `SELECT ${sqlName(sequences.idField!)}::VARCHAR AS id, ${sqlName(sequences.sequence!)}::VARCHAR ` +
        `AS sequence FROM ${await sql.parquet(sequences.files)}`;
      return new ClusterPairs(sql, `(${rows})`);
    } catch (error) {
      await sql[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Counts all pairs, and the members that are longer than their representatives. */
  async count(): Promise<PairCounts> {
    const lengths = `(SELECT id, length(sequence) AS length FROM ${this.#sequences} WHERE id IN ` +
      "(SELECT representative FROM pairs UNION SELECT member FROM pairs))";
    const [[pairs, longer]] = await this.#sql.all(
      `WITH lengths AS ${lengths} SELECT count(*), count(*) FILTER (m.length > r.length) FROM pairs ` +
        "LEFT JOIN lengths r ON r.id = representative LEFT JOIN lengths m ON m.id = member WHERE representative <> member",
    );
    return { pairs: Number(pairs), longerMembers: Number(longer) };
  }

  /** Draws pairs, as many of each stratum of stated identity, in the order of a hash: the same seed, the same pairs. */
  async draw(most: number, seed: number): Promise<StatedPair[]> {
    const stratum = `CASE ${STRATA.map((least, at) => `WHEN identity >= ${least} THEN ${at}`).join(" ")} ` +
      `WHEN identity IS NULL THEN ${STRATA.length + 1} ELSE ${STRATA.length} END`;
    const rows = await this.#sql.all(
      `SELECT representative, member, identity, coverage FROM (SELECT *, row_number() OVER (PARTITION BY ${stratum} ` +
        `ORDER BY md5(concat(member, representative, ${sqlText(String(seed))})), member) AS turn FROM pairs ` +
        `WHERE representative <> member) ORDER BY turn, member, representative LIMIT ${most}`,
    );
    const numberOf = (value: unknown) => value === null ? null : Number(value);
    return rows.map(([representative, member, identity, coverage]) => ({
      representative: String(representative),
      member: String(member),
      identity: numberOf(identity),
      coverage: numberOf(coverage),
    }));
  }

  async sequencesOf(accessions: readonly string[]): Promise<Map<string, Uint8Array>> {
    if (accessions.length === 0) return new Map();
    const list = [...new Set(accessions)].map(sqlText).join(", ");
    return await this.#collect(`SELECT id, sequence FROM ${this.#sequences} WHERE id IN (${list})`);
  }

  async #collect(query: string): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    for await (const { id, sequence } of this.#stream(query)) found.set(id, sequence);
    return found;
  }

  representatives(): AsyncGenerator<{ readonly id: string; readonly sequence: Uint8Array }> {
    return this.#stream(
      `SELECT id, sequence FROM ${this.#sequences} WHERE id IN (SELECT representative FROM pairs)`,
    );
  }

  async *#stream(query: string): AsyncGenerator<{ readonly id: string; readonly sequence: Uint8Array }> {
    const encoder = new TextEncoder();
    for await (const batch of this.#sql.stream(query)) {
      const [ids, sequences] = [batch.column(0), batch.column(1)];
      for (let row = 0; row < batch.rows; row++) {
        if (sequences[row] === null) continue;
        yield { id: String(ids[row]), sequence: encoder.encode(String(sequences[row])) };
      }
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#sql[Symbol.asyncDispose]();
  }
}

/** Names of the columns that state a pair; undefined if the table has none. */
function pairColumns({ columns }: SideTable) {
  const names = columns.map(({ name }) => name);
  const nameOf = (role: Role) => findRoleByName(names, role);
  const [representative, member, identity] = [nameOf("representative"), nameOf("member"), nameOf("identity")];
  if (representative === undefined || member === undefined || identity === undefined) return undefined;
  return { representative, member, identity, coverage: nameOf("coverage") };
}
