-- submissionFlow: 1, fdf64e8e322a9f03
SELECT "key 0" AS "key 0",
"key 1" AS "key 1",
count(*) AS "seqreg_count"
FROM (SELECT "Country" AS "key 0",
"Submitter Country" AS "key 1"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1, 2
