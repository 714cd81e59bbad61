-- completenessBySource: 1, 9007d67fcb1ef6a0
SELECT "seqreg_source" AS "seqreg_source",
coalesce(sum(CASE WHEN ("Registry Accession" IS NULL) THEN 1 ELSE 0 END), 0) AS "empty Registry Accession",
-- and 52 more lines for other columns
count(*) AS "records"
FROM (SELECT (columns), "Data Source" AS "seqreg_source"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1

-- completenessBySource: 2, 5918d5a3d6c8f20b
SELECT "seqreg_source" AS "seqreg_source",
coalesce(sum(CASE WHEN coalesce(CASE WHEN "GC Content" IS NOT NULL THEN isnan("GC Content") END, FALSE) THEN 1 ELSE 0 END), 0) AS "empty GC Content",
coalesce(sum(CASE WHEN coalesce(CASE WHEN "Latitude" IS NOT NULL THEN isnan("Latitude") END, FALSE) THEN 1 ELSE 0 END), 0) AS "empty Latitude",
coalesce(sum(CASE WHEN coalesce(CASE WHEN "Longitude" IS NOT NULL THEN isnan("Longitude") END, FALSE) THEN 1 ELSE 0 END), 0) AS "empty Longitude",
coalesce(sum(CASE WHEN coalesce(CASE WHEN "Sequencing Depth" IS NOT NULL THEN isnan("Sequencing Depth") END, FALSE) THEN 1 ELSE 0 END), 0) AS "empty Sequencing Depth"
FROM (SELECT (columns), "seqreg_source"
FROM (SELECT (columns), "Data Source" AS "seqreg_source"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
WHERE (((coalesce(CASE WHEN "GC Content" IS NOT NULL THEN isnan("GC Content") END, FALSE) OR coalesce(CASE WHEN "Latitude" IS NOT NULL THEN isnan("Latitude") END, FALSE)) OR coalesce(CASE WHEN "Longitude" IS NOT NULL THEN isnan("Longitude") END, FALSE)) OR coalesce(CASE WHEN "Sequencing Depth" IS NOT NULL THEN isnan("Sequencing Depth") END, FALSE))) AS t3
GROUP BY 1

-- completenessBySource: 3, dea94e8d43954fac
(SELECT "seqreg_group", "seqreg_text", "seqreg_rows", "seqreg_column"
FROM (SELECT "seqreg_group" AS "seqreg_group",
"seqreg_text" AS "seqreg_text",
"seqreg_rows" AS "seqreg_rows",
'Registry Accession' AS "seqreg_column"
FROM (SELECT "seqreg_group" AS "seqreg_group",
"seqreg_text" AS "seqreg_text",
count(*) AS "seqreg_rows"
FROM (SELECT "seqreg_text", "seqreg_group"
FROM (SELECT "Registry Accession" AS "seqreg_text",
"Data Source" AS "seqreg_group"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
WHERE ("seqreg_text" RLIKE '(?iU)^\\s*(?:\\?|-|--|\\.|n/a|na|nan|none|null|unknown|unk|missing|not available|not applicable|not collected|not provided|unspecified|restricted access|missing: control sample|missing: sample group|missing: synthetic construct|missing: lab stock|missing: third party data|missing: data agreement established pre-2023|missing: endangered species|missing: human-identifiable|not applicable: control sample|not applicable: sample group|not applicable: synthetic construct|not applicable: lab stock|not applicable: third party data|not applicable: data agreement established pre-2023|not applicable: endangered species|not applicable: human-identifiable|not collected: control sample|not collected: sample group|not collected: synthetic construct|not collected: lab stock|not collected: third party data|not collected: data agreement established pre-2023|not collected: endangered species|not collected: human-identifiable|not provided: control sample|not provided: sample group|not provided: synthetic construct|not provided: lab stock|not provided: third party data|not provided: data agreement established pre-2023|not provided: endangered species|not provided: human-identifiable|restricted access: control sample|restricted access: sample group|restricted access: synthetic construct|restricted access: lab stock|restricted access: third party data|restricted access: data agreement established pre-2023|restricted access: endangered species|restricted access: human-identifiable|missing: not applicable|missing: not collected|missing: not provided|missing: restricted access)?\\s*\\z')) AS t3
GROUP BY 1, 2) AS t4) AS t190)
-- and 37 more inputs of a union for other columns
