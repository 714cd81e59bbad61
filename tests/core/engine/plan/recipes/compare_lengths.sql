-- compareLengths: 1 and 2 more for other columns, cc296626c46aafac
SELECT "length" AS "length",
count(*) AS "seqreg_count"
FROM (SELECT "Sequence Length" AS "length"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1
