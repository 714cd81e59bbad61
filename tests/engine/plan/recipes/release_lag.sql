-- releaseLag: 1 and 1 more for other columns, f9a1faad95da2bdb
SELECT "text" AS "text",
count(*) AS "seqreg_count"
FROM (SELECT "seqreg_collected" AS "text"
FROM (SELECT "Collection Date" AS "seqreg_collected",
"Release Date" AS "seqreg_released"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t3
GROUP BY 1

-- releaseLag: 2, b57feed5d2f65244
-- seqreg_frame_0: seqreg_collected text, seqreg_collected state, seqreg_collected day; 74 rows
-- seqreg_frame_1: seqreg_released text, seqreg_released state, seqreg_released day; 66 rows
SELECT "days" AS "days",
"collected" AS "collected",
"released" AS "released",
count(*) AS "seqreg_count"
FROM (SELECT ("seqreg_released day" - "seqreg_collected day") AS "days",
"seqreg_collected state" AS "collected",
"seqreg_released state" AS "released"
FROM (SELECT t4."seqreg_collected", t4."seqreg_released", t4."seqreg_collected state", t4."seqreg_collected day", t5."seqreg_released state" AS "seqreg_released state",
t5."seqreg_released day" AS "seqreg_released day"
FROM (SELECT t2."seqreg_collected", t2."seqreg_released", t3."seqreg_collected state" AS "seqreg_collected state",
t3."seqreg_collected day" AS "seqreg_collected day"
FROM (SELECT "Collection Date" AS "seqreg_collected",
"Release Date" AS "seqreg_released"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
LEFT JOIN (SELECT "seqreg_collected text", "seqreg_collected state", "seqreg_collected day" FROM "seqreg_frame_0") AS t3 ON t2."seqreg_collected" = t3."seqreg_collected text") AS t4
LEFT JOIN (SELECT "seqreg_released text", "seqreg_released state", "seqreg_released day" FROM "seqreg_frame_1") AS t5 ON t4."seqreg_released" = t5."seqreg_released text") AS t6) AS t7
GROUP BY 1, 2, 3
