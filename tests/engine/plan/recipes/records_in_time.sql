-- recordsInTime by year: 1, 7819761b3fb278f5
SELECT "key 0" AS "key 0",
count(*) AS "seqreg_count"
FROM (SELECT "Collection Date" AS "key 0"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1

-- recordsInTime by month: 1, 7819761b3fb278f5, as recordsInTime by year: 1

-- recordsInTime, cumulative: 1, a04dee7bc597ee57
SELECT "key 0" AS "key 0",
count(*) AS "seqreg_count"
FROM (SELECT "Release Date" AS "key 0"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1
