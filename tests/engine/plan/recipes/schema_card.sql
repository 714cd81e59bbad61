-- schemaCard: 1, d9cd16b5d3572f95, as clusterSizes: 3

-- schemaCard: 2, e7d840727b7880ba
SELECT (columns), "Data Source"
FROM (SELECT (columns), "seqreg: position"
FROM (SELECT (columns), element_at(map('part-00000.parquet', 0L), "seqreg: file") + "seqreg: row" AS "seqreg: position" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1
ORDER BY "seqreg: position" ASC LIMIT 1000

-- schemaCard: 3, be8f189c0b9b4a8f, as fieldCompleteness: 2

-- schemaCard: 4, cc4eea362d432d0c, as fieldCompleteness: 3

-- schemaCard: 5, 273b5d9cb682aef6, as fieldCompleteness: 4

-- schemaCard: 6, 8b1fc6b3592ccb43, as fieldCompleteness: 5

-- schemaCard: 7 and 11 more for other columns, f6acd535fc5cd7ca
(SELECT "seqreg_distinct", "seqreg_column"
FROM (SELECT "seqreg_distinct" AS "seqreg_distinct",
'Sequence Name' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Sequence Name") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t12)
-- and 3 more inputs of a union for other columns

-- schemaCard: 8, 943a47771b137a03
SELECT "seqreg_distinct" AS "seqreg_distinct",
'Data Source' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Data Source") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
