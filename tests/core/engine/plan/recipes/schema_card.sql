-- schemaCard: 1, a804ae4e36bfaca7, as clusterSizes: 3

-- schemaCard: 2, 54f83b478a8cf27e
SELECT (columns), "Data Source"
FROM (SELECT (columns), "seqreg: position"
FROM (SELECT (columns), "seqreg: row" AS "seqreg: position" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1
ORDER BY "seqreg: position" ASC LIMIT 1000

-- schemaCard: 3, d0668280d073ff7c, as fieldCompleteness: 2

-- schemaCard: 4, 65c25ed473762f74, as fieldCompleteness: 3

-- schemaCard: 5, 37b33e5090207ac0, as fieldCompleteness: 4

-- schemaCard: 6, 45c416772a49cbea, as fieldCompleteness: 5

-- schemaCard: 7 and 11 more for other columns, 74a8bce7e1c7d65e
(SELECT "seqreg_distinct", "seqreg_column"
FROM (SELECT "seqreg_distinct" AS "seqreg_distinct",
'Sequence Name' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Sequence Name") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t12)
-- and 3 more inputs of a union for other columns

-- schemaCard: 8, 5078ba4f776e0f53
SELECT "seqreg_distinct" AS "seqreg_distinct",
'Data Source' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Data Source") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
