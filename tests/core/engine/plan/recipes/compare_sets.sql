-- compareSets: 1 and 2 more for other columns, 3fdd344029393f5b
SELECT "key 0" AS "key 0",
count(*) AS "seqreg_count"
FROM (SELECT "Species" AS "key 0"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1
