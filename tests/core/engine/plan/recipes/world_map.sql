-- worldMap: 1, 260c032f2f3d6a83
SELECT "key 0" AS "key 0",
count(*) AS "seqreg_count"
FROM (SELECT "Country" AS "key 0"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1

-- worldMap of submission: 1, eaad032b7014fea4
SELECT "key 0" AS "key 0",
count(*) AS "seqreg_count"
FROM (SELECT "Submitter Country" AS "key 0"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1
