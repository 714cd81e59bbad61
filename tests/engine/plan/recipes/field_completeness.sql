-- fieldCompleteness: 1, d9cd16b5d3572f95, as clusterSizes: 3

-- fieldCompleteness: 2, be8f189c0b9b4a8f
SELECT coalesce(sum(CASE WHEN coalesce(CASE WHEN "GC Content" IS NOT NULL THEN isnan("GC Content") END, FALSE) THEN 1 ELSE 0 END), 0) AS "GC Content",
coalesce(sum(CASE WHEN coalesce(CASE WHEN "Latitude" IS NOT NULL THEN isnan("Latitude") END, FALSE) THEN 1 ELSE 0 END), 0) AS "Latitude",
coalesce(sum(CASE WHEN coalesce(CASE WHEN "Longitude" IS NOT NULL THEN isnan("Longitude") END, FALSE) THEN 1 ELSE 0 END), 0) AS "Longitude",
coalesce(sum(CASE WHEN coalesce(CASE WHEN "Sequencing Depth" IS NOT NULL THEN isnan("Sequencing Depth") END, FALSE) THEN 1 ELSE 0 END), 0) AS "Sequencing Depth"
FROM (SELECT (columns), "Data Source"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1
WHERE (((coalesce(CASE WHEN "GC Content" IS NOT NULL THEN isnan("GC Content") END, FALSE) OR coalesce(CASE WHEN "Latitude" IS NOT NULL THEN isnan("Latitude") END, FALSE)) OR coalesce(CASE WHEN "Longitude" IS NOT NULL THEN isnan("Longitude") END, FALSE)) OR coalesce(CASE WHEN "Sequencing Depth" IS NOT NULL THEN isnan("Sequencing Depth") END, FALSE))) AS t2

-- fieldCompleteness: 3, cc4eea362d432d0c
SELECT coalesce(sum(CASE WHEN ("Registry Accession" IS NULL) THEN 1 ELSE 0 END), 0) AS "Registry Accession",
coalesce(sum(CASE WHEN ("Sequence Name" IS NULL) THEN 1 ELSE 0 END), 0) AS "Sequence Name",
-- and 51 more lines for other columns
coalesce(sum(CASE WHEN ("Data Source" IS NULL) THEN 1 ELSE 0 END), 0) AS "Data Source"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1

-- fieldCompleteness: 4, 273b5d9cb682aef6
SELECT coalesce(sum(CASE WHEN coalesce(("Registry Accession" RLIKE '(?iU)^\\s*(?:(?:\\?|-(?:-)?|\\.|n(?:/a|a(?:n)?|o(?:ne|t (?:a(?:vailable|pplicable(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?)|collected(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?|provided(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))|ull)|un(?:k(?:nown)?|specified)|missing(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable|not (?:applicable|collected|provided)|restricted access))?|restricted access(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))?\\s*\\z'), FALSE) THEN 1 ELSE 0 END), 0) AS "Registry Accession",
coalesce(sum(CASE WHEN coalesce(("Sequence Name" RLIKE '(?iU)^\\s*(?:(?:\\?|-(?:-)?|\\.|n(?:/a|a(?:n)?|o(?:ne|t (?:a(?:vailable|pplicable(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?)|collected(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?|provided(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))|ull)|un(?:k(?:nown)?|specified)|missing(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable|not (?:applicable|collected|provided)|restricted access))?|restricted access(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))?\\s*\\z'), FALSE) THEN 1 ELSE 0 END), 0) AS "Sequence Name",
-- and 36 more lines for other columns
coalesce(sum(CASE WHEN coalesce(("Data Source" RLIKE '(?iU)^\\s*(?:(?:\\?|-(?:-)?|\\.|n(?:/a|a(?:n)?|o(?:ne|t (?:a(?:vailable|pplicable(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?)|collected(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?|provided(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))|ull)|un(?:k(?:nown)?|specified)|missing(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable|not (?:applicable|collected|provided)|restricted access))?|restricted access(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))?\\s*\\z'), FALSE) THEN 1 ELSE 0 END), 0) AS "Data Source"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1

-- fieldCompleteness: 5, 8b1fc6b3592ccb43
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
