-- topTaxa: 1, f296bd97fe668d90
SELECT "key 0" AS "key 0",
count(*) AS "seqreg_count"
FROM (SELECT "Species" AS "key 0"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1

-- topTaxa by host: 1, 218a9cc1f8e40c46
SELECT "key 0" AS "key 0",
count(*) AS "seqreg_count"
FROM (SELECT "Host Species" AS "key 0"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1
