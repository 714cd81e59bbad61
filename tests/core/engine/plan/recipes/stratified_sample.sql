-- stratifiedSample: 1, 99fa3e6311fc1c02
SELECT "key" AS "key",
count(*) AS "seqreg_count"
FROM (SELECT "Species" AS "key"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1

-- stratifiedSample: 2, 350249117dc376d7
-- seqreg_frame_0: seqreg_text, key, seqreg_bound; 53 rows
SELECT "seqreg_row" AS "seqreg_row",
"key" AS "key",
"seqreg_order" AS "seqreg_order"
FROM (SELECT "seqreg_row", "seqreg_text", "Registry Accession", "seqreg_order", "key", "seqreg_bound"
FROM (SELECT t7."seqreg_row", t7."seqreg_text", t7."Registry Accession", t7."seqreg_order", t8."key" AS "key",
t8."seqreg_bound" AS "seqreg_bound"
FROM (SELECT "seqreg_row" AS "seqreg_row",
"seqreg_text" AS "seqreg_text",
"Registry Accession" AS "Registry Accession",
pmod((("seqreg_order" * "seqreg_order") + 1484760456L), 2147483647L) AS "seqreg_order"
FROM (SELECT "seqreg_row" AS "seqreg_row",
"seqreg_text" AS "seqreg_text",
"Registry Accession" AS "Registry Accession",
pmod((("seqreg_order" * "seqreg_order") + 1969491882L), 2147483647L) AS "seqreg_order"
FROM (SELECT "seqreg_row" AS "seqreg_row",
"seqreg_text" AS "seqreg_text",
"Registry Accession" AS "Registry Accession",
pmod(((pmod("seqreg_order", 2147483647L) * 48271L) + 1649717740L), 2147483647L) AS "seqreg_order"
FROM (SELECT "seqreg_row" AS "seqreg_row",
"seqreg_text" AS "seqreg_text",
"Registry Accession" AS "Registry Accession",
coalesce(coalesce(CASE WHEN (trim(LEADING 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_' FROM coalesce("Registry Accession", '0')) RLIKE '(?U)^[+-]?[0-9]+\\z') THEN try_cast(trim(LEADING 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_' FROM coalesce("Registry Accession", '0')) AS BIGINT) END, CASE WHEN (right(regexp_replace(coalesce("Registry Accession", '0'), '(?U)[^0-9]+', ''), 18) RLIKE '(?U)^[+-]?[0-9]+\\z') THEN try_cast(right(regexp_replace(coalesce("Registry Accession", '0'), '(?U)[^0-9]+', ''), 18) AS BIGINT) END), 0L) AS "seqreg_order"
FROM (SELECT "seqreg_row" AS "seqreg_row",
"Species" AS "seqreg_text",
"Registry Accession" AS "Registry Accession"
FROM (SELECT "seqreg: position" AS (columns), "Data Source"
FROM (SELECT (columns), "seqreg: position"
FROM (SELECT (columns), "seqreg: row" AS "seqreg: position" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t3) AS t4) AS t5) AS t6) AS t7
INNER JOIN (SELECT "seqreg_text", "key", "seqreg_bound" FROM "seqreg_frame_0") AS t8 ON t7."seqreg_text" = t8."seqreg_text") AS t9
WHERE (("seqreg_order" <= "seqreg_bound") OR ("seqreg_order" IS NULL))) AS t10
