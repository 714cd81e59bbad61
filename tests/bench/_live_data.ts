/** A table for `live.ts`: Parquet files of dates, lists and texts, from DuckDB. */

/** Writes so many rows and columns, at least 10, into so many files; returns their paths, in order. */
export async function writeLiveData(
  folder: string,
  { rows, files, columns: width }: { readonly rows: number; readonly files: number; readonly columns: number },
): Promise<string[]> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run("CREATE MACRO h(i, k) AS (hash(i * 31 + k) & 1048575)::INT");
  const distinct = [3, 10, 50, 100, 200, 5, 7, 1000, 20, 30];
  const fields = Array.from(
    { length: width - 10 },
    (_, index) => `'value ' || (h(i, ${index + 20}) % ${distinct[index % distinct.length]}) AS "Field ${index}"`,
  );
  const columns = [
    `'vj' || lpad(((i * 7919) % ${rows})::VARCHAR, 12, '0') AS "Registry Accession"`,
    `(['Kenya', 'France', 'Peru', 'Japan', 'Brazil', 'Chad', 'Fiji', 'Cuba'])[1 + h(i, 1) % 8] AS "Country"`,
    `CASE WHEN h(i, 3) % 20 = 0 THEN NULL ELSE 1000 + h(i, 4) % 30000 END::BIGINT AS "Sequence Length"`,
    `h(i, 5) / 1048575.0 * 40 + 30 AS "GC Content"`,
    `CASE WHEN h(i, 6) % 10 = 0 THEN NULL ELSE DATE '2000-01-01' + (h(i, 7) % 9000) END AS "Collection Date"`,
    `'Virus synth ' || (h(i, 8) % 3000) AS "Species"`,
    `CASE WHEN h(i, 9) % 3 = 0 THEN ['a', 'b'] ELSE ['c'] END AS "Keywords"`,
    `h(i, 10) % 100 AS "Ambiguous Bases"`,
    `CASE WHEN h(i, 11) % 2 = 0 THEN 'male' ELSE 'female' END AS "Host Sex"`,
    `h(i, 12)::DOUBLE AS "Score"`,
    ...fields,
  ];
  const each = Math.ceil(rows / files);
  const paths: string[] = [];
  for (let file = 0; file < files; file++) {
    const path = `${folder}/part-${String(file).padStart(5, "0")}.parquet`;
    await connection.run(
      `COPY (SELECT ${columns.join(", ")} FROM range(${file * each}, ${Math.min(rows, (file + 1) * each)}) r(i)) ` +
        `TO '${path}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 50000)`,
    );
    paths.push(path);
  }
  connection.closeSync();
  return paths;
}
