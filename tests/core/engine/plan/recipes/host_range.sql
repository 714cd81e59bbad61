-- hostRange: 1, 1411e5f4bd7d301f
SELECT "key 0" AS "key 0",
"key 1" AS "key 1",
count(*) AS "seqreg_count"
FROM (SELECT "Family" AS "key 0",
"Host Species" AS "key 1"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1, 2
