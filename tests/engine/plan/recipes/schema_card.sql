-- schemaCard: 1, d9cd16b5d3572f95
SELECT count(*) AS "seqreg_count"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1

-- schemaCard: 2, e7d840727b7880ba
SELECT (columns), "Data Source"
FROM (SELECT (columns), "seqreg: position"
FROM (SELECT (columns), element_at(map('part-00000.parquet', 0L), "seqreg: file") + "seqreg: row" AS "seqreg: position" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1
ORDER BY "seqreg: position" ASC LIMIT 1000

-- schemaCard: 3, be8f189c0b9b4a8f
SELECT coalesce(sum(CASE WHEN coalesce(CASE WHEN "GC Content" IS NOT NULL THEN isnan("GC Content") END, FALSE) THEN 1 ELSE 0 END), 0) AS "GC Content",
coalesce(sum(CASE WHEN coalesce(CASE WHEN "Latitude" IS NOT NULL THEN isnan("Latitude") END, FALSE) THEN 1 ELSE 0 END), 0) AS "Latitude",
coalesce(sum(CASE WHEN coalesce(CASE WHEN "Longitude" IS NOT NULL THEN isnan("Longitude") END, FALSE) THEN 1 ELSE 0 END), 0) AS "Longitude",
coalesce(sum(CASE WHEN coalesce(CASE WHEN "Sequencing Depth" IS NOT NULL THEN isnan("Sequencing Depth") END, FALSE) THEN 1 ELSE 0 END), 0) AS "Sequencing Depth"
FROM (SELECT (columns), "Data Source"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1
WHERE (((coalesce(CASE WHEN "GC Content" IS NOT NULL THEN isnan("GC Content") END, FALSE) OR coalesce(CASE WHEN "Latitude" IS NOT NULL THEN isnan("Latitude") END, FALSE)) OR coalesce(CASE WHEN "Longitude" IS NOT NULL THEN isnan("Longitude") END, FALSE)) OR coalesce(CASE WHEN "Sequencing Depth" IS NOT NULL THEN isnan("Sequencing Depth") END, FALSE))) AS t2

-- schemaCard: 4, cc4eea362d432d0c
SELECT coalesce(sum(CASE WHEN ("Registry Accession" IS NULL) THEN 1 ELSE 0 END), 0) AS "Registry Accession",
coalesce(sum(CASE WHEN ("Sequence Name" IS NULL) THEN 1 ELSE 0 END), 0) AS "Sequence Name",
-- and 51 more lines for other columns
coalesce(sum(CASE WHEN ("Data Source" IS NULL) THEN 1 ELSE 0 END), 0) AS "Data Source"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1

-- schemaCard: 5, 273b5d9cb682aef6
SELECT coalesce(sum(CASE WHEN coalesce(("Registry Accession" RLIKE '(?iU)^\\s*(?:(?:\\?|-(?:-)?|\\.|n(?:/a|a(?:n)?|o(?:ne|t (?:a(?:vailable|pplicable(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?)|collected(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?|provided(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))|ull)|un(?:k(?:nown)?|specified)|missing(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable|not (?:applicable|collected|provided)|restricted access))?|restricted access(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))?\\s*\\z'), FALSE) THEN 1 ELSE 0 END), 0) AS "Registry Accession",
coalesce(sum(CASE WHEN coalesce(("Sequence Name" RLIKE '(?iU)^\\s*(?:(?:\\?|-(?:-)?|\\.|n(?:/a|a(?:n)?|o(?:ne|t (?:a(?:vailable|pplicable(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?)|collected(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?|provided(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))|ull)|un(?:k(?:nown)?|specified)|missing(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable|not (?:applicable|collected|provided)|restricted access))?|restricted access(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))?\\s*\\z'), FALSE) THEN 1 ELSE 0 END), 0) AS "Sequence Name",
-- and 36 more lines for other columns
coalesce(sum(CASE WHEN coalesce(("Data Source" RLIKE '(?iU)^\\s*(?:(?:\\?|-(?:-)?|\\.|n(?:/a|a(?:n)?|o(?:ne|t (?:a(?:vailable|pplicable(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?)|collected(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?|provided(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))|ull)|un(?:k(?:nown)?|specified)|missing(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable|not (?:applicable|collected|provided)|restricted access))?|restricted access(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))?\\s*\\z'), FALSE) THEN 1 ELSE 0 END), 0) AS "Data Source"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1

-- schemaCard: 6, 8b1fc6b3592ccb43
(SELECT "seqreg_group", "seqreg_text", "seqreg_rows", "seqreg_column"
FROM (SELECT "seqreg_group" AS "seqreg_group",
"seqreg_text" AS "seqreg_text",
"seqreg_rows" AS "seqreg_rows",
'Host Sex' AS "seqreg_column"
FROM (SELECT "seqreg_group" AS "seqreg_group",
"seqreg_text" AS "seqreg_text",
count(*) AS "seqreg_rows"
FROM (SELECT "seqreg_text", "seqreg_group"
FROM (SELECT "Host Sex" AS "seqreg_text",
CAST(NULL AS STRING) AS "seqreg_group"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
WHERE ("seqreg_text" RLIKE '(?iU)^\\s*(?:(?:\\?|-(?:-)?|\\.|n(?:/a|a(?:n)?|o(?:ne|t (?:a(?:vailable|pplicable(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?)|collected(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?|provided(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))|ull)|un(?:k(?:nown)?|specified)|missing(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable|not (?:applicable|collected|provided)|restricted access))?|restricted access(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))?\\s*\\z')) AS t3
GROUP BY 1, 2) AS t4) AS t10)
(SELECT "seqreg_group", "seqreg_text", "seqreg_rows", "seqreg_column"
FROM (SELECT "seqreg_group" AS "seqreg_group",
"seqreg_text" AS "seqreg_text",
"seqreg_rows" AS "seqreg_rows",
'Notes' AS "seqreg_column"
FROM (SELECT "seqreg_group" AS "seqreg_group",
"seqreg_text" AS "seqreg_text",
count(*) AS "seqreg_rows"
FROM (SELECT "seqreg_text", "seqreg_group"
FROM (SELECT "Notes" AS "seqreg_text",
CAST(NULL AS STRING) AS "seqreg_group"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t5) AS t6) AS t7
WHERE ("seqreg_text" RLIKE '(?iU)^\\s*(?:(?:\\?|-(?:-)?|\\.|n(?:/a|a(?:n)?|o(?:ne|t (?:a(?:vailable|pplicable(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?)|collected(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?|provided(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))|ull)|un(?:k(?:nown)?|specified)|missing(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable|not (?:applicable|collected|provided)|restricted access))?|restricted access(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))?\\s*\\z')) AS t8
GROUP BY 1, 2) AS t9) AS t11)

-- schemaCard: 7, 5570b88992709107
(SELECT "seqreg_distinct", "seqreg_column"
FROM (SELECT "seqreg_distinct" AS "seqreg_distinct",
'Sequence Name' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Sequence Name") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t12)
-- and 3 more inputs of a union for other columns

-- schemaCard: 8, fe40d66c1738206b
(SELECT "seqreg_distinct", "seqreg_column"
FROM (SELECT "seqreg_distinct" AS "seqreg_distinct",
'Molecule Type' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Molecule Type") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t12)
-- and 3 more inputs of a union for other columns

-- schemaCard: 9, 9a9f0109a599db2d
(SELECT "seqreg_distinct", "seqreg_column"
FROM (SELECT "seqreg_distinct" AS "seqreg_distinct",
'Realm' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Realm") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t12)
-- and 3 more inputs of a union for other columns

-- schemaCard: 10, a8c921b1d37f83d7
(SELECT "seqreg_distinct", "seqreg_column"
FROM (SELECT "seqreg_distinct" AS "seqreg_distinct",
'Order' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Order") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t12)
-- and 3 more inputs of a union for other columns

-- schemaCard: 11, 0d0f7fd5bbcfcf03
(SELECT "seqreg_distinct", "seqreg_column"
FROM (SELECT "seqreg_distinct" AS "seqreg_distinct",
'Virus Taxonomy ID' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Virus Taxonomy ID") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t12)
-- and 3 more inputs of a union for other columns

-- schemaCard: 12, 519746ee59f9be8b
(SELECT "seqreg_distinct", "seqreg_column"
FROM (SELECT "seqreg_distinct" AS "seqreg_distinct",
'Host Age' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Host Age") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t12)
-- and 3 more inputs of a union for other columns

-- schemaCard: 13, 4c70746ee8121356
(SELECT "seqreg_distinct", "seqreg_column"
FROM (SELECT "seqreg_distinct" AS "seqreg_distinct",
'Collection Date' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Collection Date") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t12)
-- and 3 more inputs of a union for other columns

-- schemaCard: 14, 583b139d378c2ebc
(SELECT "seqreg_distinct", "seqreg_column"
FROM (SELECT "seqreg_distinct" AS "seqreg_distinct",
'Location' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Location") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t12)
-- and 3 more inputs of a union for other columns

-- schemaCard: 15, 31ea9bf3b1387fa7
(SELECT "seqreg_distinct", "seqreg_column"
FROM (SELECT "seqreg_distinct" AS "seqreg_distinct",
'Submitter Country' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Submitter Country") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t12)
-- and 3 more inputs of a union for other columns

-- schemaCard: 16, 0edd3196eb11c53e
(SELECT "seqreg_distinct", "seqreg_column"
FROM (SELECT "seqreg_distinct" AS "seqreg_distinct",
'Source Accession' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Source Accession") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t12)
-- and 3 more inputs of a union for other columns

-- schemaCard: 17, ff56d81235f2fe20
(SELECT "seqreg_distinct", "seqreg_column"
FROM (SELECT "seqreg_distinct" AS "seqreg_distinct",
'Sequencing Depth' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Sequencing Depth") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t12)
-- and 3 more inputs of a union for other columns

-- schemaCard: 18, 2c8e064b768dbbd6
(SELECT "seqreg_distinct", "seqreg_column"
FROM (SELECT "seqreg_distinct" AS "seqreg_distinct",
'Cluster' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Cluster") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2) AS t12)
-- and 3 more inputs of a union for other columns

-- schemaCard: 19, 943a47771b137a03
SELECT "seqreg_distinct" AS "seqreg_distinct",
'Data Source' AS "seqreg_column"
FROM (SELECT count(DISTINCT "Data Source") AS "seqreg_distinct"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
