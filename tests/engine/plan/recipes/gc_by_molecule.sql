-- gcByMolecule: 1, f23c3d008141e396
SELECT coalesce(sum(CASE WHEN CASE WHEN "GC Content" IS NOT NULL THEN abs("GC Content") < double('Infinity') END THEN 1 ELSE 0 END), 0) AS "n",
coalesce(sum(CASE WHEN ("GC Content" = 0D) THEN 1 ELSE 0 END), 0) AS "zeros",
coalesce(sum(CASE WHEN (("GC Content" > 0D) AND ("GC Content" <= 1D)) THEN 1 ELSE 0 END), 0) AS "small",
coalesce(min(CASE WHEN NOT isnan(CASE WHEN CASE WHEN "GC Content" IS NOT NULL THEN abs("GC Content") < double('Infinity') END THEN "GC Content" END) THEN CASE WHEN CASE WHEN "GC Content" IS NOT NULL THEN abs("GC Content") < double('Infinity') END THEN "GC Content" END END), min(CASE WHEN CASE WHEN "GC Content" IS NOT NULL THEN abs("GC Content") < double('Infinity') END THEN "GC Content" END)) AS "least",
coalesce(max(CASE WHEN NOT isnan(CASE WHEN CASE WHEN "GC Content" IS NOT NULL THEN abs("GC Content") < double('Infinity') END THEN "GC Content" END) THEN CASE WHEN CASE WHEN "GC Content" IS NOT NULL THEN abs("GC Content") < double('Infinity') END THEN "GC Content" END END), max(CASE WHEN CASE WHEN "GC Content" IS NOT NULL THEN abs("GC Content") < double('Infinity') END THEN "GC Content" END)) AS "most"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1

-- gcByMolecule: 2, 68f20217e835c566
SELECT "seqreg_count" AS "seqreg_count",
count(*) AS "len"
FROM (SELECT "seqreg_count"
FROM (SELECT "Molecule Type" AS "seqreg_count"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
WHERE ("seqreg_count" RLIKE '(?U)^(?i:(?:\\?|-(?:-)?|\\.|n(?:/a|a(?:n)?|o(?:ne|t (?:a(?:vailable|pplicable(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?)|collected(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?|provided(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))|ull)|un(?:k(?:nown)?|specified)|missing(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable|not (?:applicable|collected|provided)|restricted access))?|restricted access(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))?\\z|^\\s|\\s\\z|[^\\x00-\\x{17f}]')) AS t3
GROUP BY 1

-- gcByMolecule: 3, 789382e396114cde
SELECT "group" AS "group",
count(*) AS "all",
coalesce(sum(CASE WHEN ("value" IS NOT NULL) THEN 1 ELSE 0 END), 0) AS "filled",
coalesce(sum(CASE WHEN CASE WHEN "value" IS NOT NULL THEN abs("value") < double('Infinity') END THEN 1 ELSE 0 END), 0) AS "seqreg_records"
FROM (SELECT "Molecule Type" AS "group",
CASE WHEN ("GC Content" IS NULL) THEN CAST(NULL AS DOUBLE) ELSE CASE WHEN ((("GC Content" >= 0D) AND ("GC Content" <= 100D)) AND CASE WHEN "GC Content" IS NOT NULL THEN NOT isnan("GC Content") END) THEN "GC Content" ELSE double('NaN') END END AS "value"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1

-- gcByMolecule: 4, d3d1e84917e38a36
-- seqreg_frame_0: group, seqreg_rank; 50 rows
SELECT t4."group", t4."value", t4."seqreg_rank"
FROM (SELECT "group" AS "group",
"value" AS "value",
CASE WHEN "value" IS NOT NULL THEN CAST(row_number() OVER (PARTITION BY "group"
ORDER BY "value" ASC NULLS LAST) AS BIGINT) END AS "seqreg_rank"
FROM (SELECT "group", "value"
FROM (SELECT "Molecule Type" AS "group",
CASE WHEN ("GC Content" IS NULL) THEN CAST(NULL AS DOUBLE) ELSE CASE WHEN ((("GC Content" >= 0D) AND ("GC Content" <= 100D)) AND CASE WHEN "GC Content" IS NOT NULL THEN NOT isnan("GC Content") END) THEN "GC Content" ELSE double('NaN') END END AS "value"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
WHERE (CASE WHEN "value" IS NOT NULL THEN abs("value") < double('Infinity') END AND ("group" IS NOT NULL))) AS t3) AS t4
INNER JOIN (SELECT "group", "seqreg_rank" FROM "seqreg_frame_0") AS t5 ON t4."group" = t5."group" AND t4."seqreg_rank" = t5."seqreg_rank"
