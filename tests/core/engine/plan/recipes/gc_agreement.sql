-- gcAgreement: 1, 812113a95e3b417e, as gcByMolecule: 1

-- gcAgreement: 2, 48b7570febbc48c9
SELECT count(*) AS "seqreg_count"
FROM (SELECT "Registry Accession" AS "Registry Accession",
"length" AS "length",
"gc" AS "gc",
"ambiguous" AS "ambiguous",
"Sequence" AS "Sequence"
FROM (SELECT "Registry Accession", "length", "gc", "ambiguous", "Sequence" FROM "seqreg: files of full_dataset_sequence") AS t0) AS t1

-- gcAgreement: 3, 868b797094771d6e
SELECT "all" AS "all",
count(*) AS "n",
CAST(coalesce(sum("sum"), 0) AS BIGINT) AS "sum",
CAST(coalesce(sum("squares"), 0) AS BIGINT) AS "squares"
FROM (SELECT 0D AS "all",
(try_cast(((("declared" - "computed") * 10000D) + 10000000.5D) AS BIGINT) - 10000000L) AS "sum",
((try_cast(((("declared" - "computed") * 10000D) + 10000000.5D) AS BIGINT) - 10000000L) * (try_cast(((("declared" - "computed") * 10000D) + 10000000.5D) AS BIGINT) - 10000000L)) AS "squares"
FROM (SELECT "seqreg_id", "declared", "computed"
FROM (SELECT t5."seqreg_id", t5."declared", t6."computed" AS "computed"
FROM (SELECT "Registry Accession" AS "seqreg_id",
CASE WHEN ("Registry Accession" IS NULL) THEN CAST(NULL AS DOUBLE) ELSE "GC Content" END AS "declared"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t5
LEFT JOIN (SELECT "Registry Accession" AS "seqreg_other_id",
("gc" * 100D) AS "computed"
FROM (SELECT "Registry Accession", "length", "gc", "ambiguous", "Sequence"
FROM (SELECT "Registry Accession" AS "Registry Accession",
"length" AS "length",
"gc" AS "gc",
"ambiguous" AS "ambiguous",
"Sequence" AS "Sequence"
FROM (SELECT "Registry Accession", "length", "gc", "ambiguous", "Sequence" FROM "seqreg: files of full_dataset_sequence") AS t2) AS t3
WHERE ("Registry Accession" IS NOT NULL)) AS t4) AS t6 ON t5."seqreg_id" = t6."seqreg_other_id") AS t7
WHERE (coalesce((CASE WHEN "declared" IS NOT NULL THEN abs("declared") < double('Infinity') END AND CASE WHEN "computed" IS NOT NULL THEN abs("computed") < double('Infinity') END), FALSE) AND (NOT coalesce((("declared" < 0D) OR ("declared" > 100D)), FALSE)))) AS t8) AS t9
GROUP BY 1

-- gcAgreement: 4, 07a8acac012131fe
SELECT "at" AS "at",
count(*) AS "seqreg_count"
FROM (SELECT CASE WHEN coalesce((("declared" < 0D) OR ("declared" > 100D)), FALSE) THEN 4D ELSE CASE WHEN coalesce((CASE WHEN "declared" IS NOT NULL THEN abs("declared") < double('Infinity') END AND CASE WHEN "computed" IS NOT NULL THEN abs("computed") < double('Infinity') END), FALSE) THEN CASE WHEN (abs(("declared" - "computed")) <= 0.010000001D) THEN 0D ELSE CASE WHEN (abs(("declared" - "computed")) <= 0.100000001D) THEN 1D ELSE CASE WHEN (abs(("declared" - "computed")) <= 1.000000001D) THEN 2D ELSE 3D END END END ELSE CAST(NULL AS DOUBLE) END END AS "at"
FROM (SELECT t5."seqreg_id", t5."declared", t6."computed" AS "computed"
FROM (SELECT "Registry Accession" AS "seqreg_id",
CASE WHEN ("Registry Accession" IS NULL) THEN CAST(NULL AS DOUBLE) ELSE "GC Content" END AS "declared"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t5
LEFT JOIN (SELECT "Registry Accession" AS "seqreg_other_id",
("gc" * 100D) AS "computed"
FROM (SELECT "Registry Accession", "length", "gc", "ambiguous", "Sequence"
FROM (SELECT "Registry Accession" AS "Registry Accession",
"length" AS "length",
"gc" AS "gc",
"ambiguous" AS "ambiguous",
"Sequence" AS "Sequence"
FROM (SELECT "Registry Accession", "length", "gc", "ambiguous", "Sequence" FROM "seqreg: files of full_dataset_sequence") AS t2) AS t3
WHERE ("Registry Accession" IS NOT NULL)) AS t4) AS t6 ON t5."seqreg_id" = t6."seqreg_other_id") AS t7) AS t8
GROUP BY 1
