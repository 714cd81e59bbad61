-- recordsInTime by year: 1, 7a583c5393996a91
SELECT "key 0" AS "key 0",
count(*) AS "seqreg_count"
FROM (SELECT "Collection Date" AS "key 0"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1

-- recordsInTime by year: 2 and 1 more for other columns, 7c1341d2fe549554
SELECT "text" AS "text",
CAST(coalesce(sum("seqreg_records"), 0) AS BIGINT) AS "seqreg_records"
FROM (SELECT "seqreg_collected" AS "text",
"seqreg_records" AS "seqreg_records"
FROM (SELECT "seqreg_collected" AS "seqreg_collected",
"seqreg_released" AS "seqreg_released",
count(*) AS "seqreg_records"
FROM (SELECT "Collection Date" AS "seqreg_collected",
"Release Date" AS "seqreg_released"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1, 2) AS t3) AS t4
GROUP BY 1

-- recordsInTime by year: 3, 0cbedca7aa859dcc
-- seqreg_frame_0: seqreg_collected text, seqreg_collected state, seqreg_collected first, seqreg_collected last; 74 rows
-- seqreg_frame_1: seqreg_released text, seqreg_released state, seqreg_released first, seqreg_released last; 66 rows
SELECT "cohort" AS "cohort",
"most" AS "most",
-- and 3 more lines for other columns
CAST(coalesce(sum("seqreg_records"), 0) AS BIGINT) AS "seqreg_records"
FROM (SELECT CAST(NULL AS DOUBLE) AS "cohort",
(CASE WHEN ("seqreg_released last" > 20484D) THEN 20484D ELSE "seqreg_released last" END - "seqreg_collected first") AS "most",
CASE WHEN ("seqreg_collected last" <= "seqreg_released first") THEN ("seqreg_released first" - "seqreg_collected last") ELSE 0D END AS "least",
"seqreg_collected state" AS "collected",
"seqreg_released state" AS "released",
"seqreg_records" AS "seqreg_records"
FROM (SELECT t5."seqreg_collected", t5."seqreg_released", t5."seqreg_records", t5."seqreg_collected state", t5."seqreg_collected first", t5."seqreg_collected last", t6."seqreg_released state" AS "seqreg_released state",
t6."seqreg_released first" AS "seqreg_released first",
t6."seqreg_released last" AS "seqreg_released last"
FROM (SELECT t3."seqreg_collected", t3."seqreg_released", t3."seqreg_records", t4."seqreg_collected state" AS "seqreg_collected state",
t4."seqreg_collected first" AS "seqreg_collected first",
t4."seqreg_collected last" AS "seqreg_collected last"
FROM (SELECT "seqreg_collected" AS "seqreg_collected",
"seqreg_released" AS "seqreg_released",
count(*) AS "seqreg_records"
FROM (SELECT "Collection Date" AS "seqreg_collected",
"Release Date" AS "seqreg_released"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1, 2) AS t3
LEFT JOIN (SELECT "seqreg_collected text", "seqreg_collected state", "seqreg_collected first", "seqreg_collected last" FROM "seqreg_frame_0") AS t4 ON t3."seqreg_collected" = t4."seqreg_collected text") AS t5
LEFT JOIN (SELECT "seqreg_released text", "seqreg_released state", "seqreg_released first", "seqreg_released last" FROM "seqreg_frame_1") AS t6 ON t5."seqreg_released" = t6."seqreg_released text") AS t7) AS t8
GROUP BY 1, 2, 3, 4, 5

-- recordsInTime by year: 4, 1d269556a87b64fc
-- seqreg_frame_0: seqreg_collected text, seqreg_collected state, seqreg_collected first, seqreg_collected last; 74 rows
-- seqreg_frame_1: seqreg_released text, seqreg_released state, seqreg_released first, seqreg_released last; 66 rows
SELECT "cohort" AS "cohort",
"from" AS "from",
-- and 3 more lines for other columns
CAST(coalesce(sum("seqreg_records"), 0) AS BIGINT) AS "seqreg_records"
FROM (SELECT CAST(NULL AS DOUBLE) AS "cohort",
"seqreg_collected first" AS "from",
CASE WHEN ("seqreg_collected last" <= "seqreg_released first") THEN "seqreg_collected last" ELSE CASE WHEN ("seqreg_released first" >= "seqreg_collected first") THEN "seqreg_released first" ELSE "seqreg_collected first" END END AS "shortFrom",
"seqreg_collected state" AS "collected",
"seqreg_released state" AS "released",
"seqreg_records" AS "seqreg_records"
FROM (SELECT "seqreg_collected", "seqreg_released", "seqreg_records", "seqreg_collected state", "seqreg_collected first", "seqreg_collected last", "seqreg_released state", "seqreg_released first", "seqreg_released last"
FROM (SELECT t5."seqreg_collected", t5."seqreg_released", t5."seqreg_records", t5."seqreg_collected state", t5."seqreg_collected first", t5."seqreg_collected last", t6."seqreg_released state" AS "seqreg_released state",
t6."seqreg_released first" AS "seqreg_released first",
t6."seqreg_released last" AS "seqreg_released last"
FROM (SELECT t3."seqreg_collected", t3."seqreg_released", t3."seqreg_records", t4."seqreg_collected state" AS "seqreg_collected state",
t4."seqreg_collected first" AS "seqreg_collected first",
t4."seqreg_collected last" AS "seqreg_collected last"
FROM (SELECT "seqreg_collected" AS "seqreg_collected",
"seqreg_released" AS "seqreg_released",
count(*) AS "seqreg_records"
FROM (SELECT "Collection Date" AS "seqreg_collected",
"Release Date" AS "seqreg_released"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1, 2) AS t3
LEFT JOIN (SELECT "seqreg_collected text", "seqreg_collected state", "seqreg_collected first", "seqreg_collected last" FROM "seqreg_frame_0") AS t4 ON t3."seqreg_collected" = t4."seqreg_collected text") AS t5
LEFT JOIN (SELECT "seqreg_released text", "seqreg_released state", "seqreg_released first", "seqreg_released last" FROM "seqreg_frame_1") AS t6 ON t5."seqreg_released" = t6."seqreg_released text") AS t7
WHERE ((((coalesce(("seqreg_collected state" = 1D), FALSE) OR coalesce(("seqreg_collected state" = 2D), FALSE)) AND (coalesce(("seqreg_released state" = 1D), FALSE) OR coalesce(("seqreg_released state" = 2D), FALSE))) AND ("seqreg_released last" >= "seqreg_collected first")) AND (20484D >= "seqreg_collected first"))) AS t8) AS t9
GROUP BY 1, 2, 3, 4, 5

-- recordsInTime by month: 1, 7a583c5393996a91, as recordsInTime by year: 1

-- recordsInTime by month: 2 and 1 more for other columns, 7c1341d2fe549554, as recordsInTime by year: 2

-- recordsInTime by month: 3, 0cbedca7aa859dcc, as recordsInTime by year: 3

-- recordsInTime by month: 4, 1d269556a87b64fc, as recordsInTime by year: 4

-- recordsInTime, cumulative: 1, 37e04649e28fe15e
SELECT "key 0" AS "key 0",
count(*) AS "seqreg_count"
FROM (SELECT "Release Date" AS "key 0"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1
