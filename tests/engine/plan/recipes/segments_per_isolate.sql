-- segmentsPerIsolate: 1, d9cd16b5d3572f95
SELECT count(*) AS "seqreg_count"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1

-- segmentsPerIsolate: 2 and 2 more for other columns, 42b97c76fde32420
SELECT "key 0" AS "key 0",
count(*) AS "seqreg_key"
FROM (SELECT "key 0", "key 1", "key 2"
FROM (SELECT "Species" AS "key 0",
"Isolate" AS "key 1",
"Segment" AS "key 2"
FROM (SELECT (columns), "Data Source"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1
WHERE ((("Species" IS NOT NULL) AND ("Isolate" IS NOT NULL)) AND ("Segment" IS NOT NULL))) AS t2) AS t3
WHERE ((("key 0" RLIKE '(?U)^(?i:\\?|-|--|\\.|n/a|na|nan|none|null|unknown|unk|missing|not available|not applicable|not collected|not provided|unspecified|restricted access|missing: control sample|missing: sample group|missing: synthetic construct|missing: lab stock|missing: third party data|missing: data agreement established pre-2023|missing: endangered species|missing: human-identifiable|not applicable: control sample|not applicable: sample group|not applicable: synthetic construct|not applicable: lab stock|not applicable: third party data|not applicable: data agreement established pre-2023|not applicable: endangered species|not applicable: human-identifiable|not collected: control sample|not collected: sample group|not collected: synthetic construct|not collected: lab stock|not collected: third party data|not collected: data agreement established pre-2023|not collected: endangered species|not collected: human-identifiable|not provided: control sample|not provided: sample group|not provided: synthetic construct|not provided: lab stock|not provided: third party data|not provided: data agreement established pre-2023|not provided: endangered species|not provided: human-identifiable|restricted access: control sample|restricted access: sample group|restricted access: synthetic construct|restricted access: lab stock|restricted access: third party data|restricted access: data agreement established pre-2023|restricted access: endangered species|restricted access: human-identifiable|missing: not applicable|missing: not collected|missing: not provided|missing: restricted access)?\\z|^\\s|\\s\\z|[^\\x00-\\x{17f}]') OR ("key 1" RLIKE '(?U)^(?i:\\?|-|--|\\.|n/a|na|nan|none|null|unknown|unk|missing|not available|not applicable|not collected|not provided|unspecified|restricted access|missing: control sample|missing: sample group|missing: synthetic construct|missing: lab stock|missing: third party data|missing: data agreement established pre-2023|missing: endangered species|missing: human-identifiable|not applicable: control sample|not applicable: sample group|not applicable: synthetic construct|not applicable: lab stock|not applicable: third party data|not applicable: data agreement established pre-2023|not applicable: endangered species|not applicable: human-identifiable|not collected: control sample|not collected: sample group|not collected: synthetic construct|not collected: lab stock|not collected: third party data|not collected: data agreement established pre-2023|not collected: endangered species|not collected: human-identifiable|not provided: control sample|not provided: sample group|not provided: synthetic construct|not provided: lab stock|not provided: third party data|not provided: data agreement established pre-2023|not provided: endangered species|not provided: human-identifiable|restricted access: control sample|restricted access: sample group|restricted access: synthetic construct|restricted access: lab stock|restricted access: third party data|restricted access: data agreement established pre-2023|restricted access: endangered species|restricted access: human-identifiable|missing: not applicable|missing: not collected|missing: not provided|missing: restricted access)?\\z|^\\s|\\s\\z|[^\\x00-\\x{17f}]')) OR ("key 2" RLIKE '(?U)^(?i:\\?|-|--|\\.|n/a|na|nan|none|null|unknown|unk|missing|not available|not applicable|not collected|not provided|unspecified|restricted access|missing: control sample|missing: sample group|missing: synthetic construct|missing: lab stock|missing: third party data|missing: data agreement established pre-2023|missing: endangered species|missing: human-identifiable|not applicable: control sample|not applicable: sample group|not applicable: synthetic construct|not applicable: lab stock|not applicable: third party data|not applicable: data agreement established pre-2023|not applicable: endangered species|not applicable: human-identifiable|not collected: control sample|not collected: sample group|not collected: synthetic construct|not collected: lab stock|not collected: third party data|not collected: data agreement established pre-2023|not collected: endangered species|not collected: human-identifiable|not provided: control sample|not provided: sample group|not provided: synthetic construct|not provided: lab stock|not provided: third party data|not provided: data agreement established pre-2023|not provided: endangered species|not provided: human-identifiable|restricted access: control sample|restricted access: sample group|restricted access: synthetic construct|restricted access: lab stock|restricted access: third party data|restricted access: data agreement established pre-2023|restricted access: endangered species|restricted access: human-identifiable|missing: not applicable|missing: not collected|missing: not provided|missing: restricted access)?\\z|^\\s|\\s\\z|[^\\x00-\\x{17f}]'))) AS t4
GROUP BY 1

-- segmentsPerIsolate: 3, bfd085a2eedc6f51
SELECT "whole" AS "whole",
"segments" AS "segments",
count(*) AS "isolates",
CAST(coalesce(sum("seqreg_rows"), 0) AS BIGINT) AS "seqreg_rows"
FROM (SELECT t13."key 0", t13."key 1", t13."segments", t13."seqreg_rows", t14."whole" AS "whole"
FROM (SELECT "key 0" AS "key 0",
"key 1" AS "key 1",
count(*) AS "segments",
CAST(coalesce(sum("seqreg_rows"), 0) AS BIGINT) AS "seqreg_rows"
FROM (SELECT "key 0" AS "key 0",
"key 1" AS "key 1",
"key 2" AS "key 2",
count(*) AS "seqreg_rows"
FROM (SELECT "key 0", "key 1", "key 2"
FROM (SELECT "Species" AS "key 0",
"Isolate" AS "key 1",
"Segment" AS "key 2"
FROM (SELECT (columns), "Data Source"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1
WHERE ((("Species" IS NOT NULL) AND ("Isolate" IS NOT NULL)) AND ("Segment" IS NOT NULL))) AS t2) AS t3
WHERE ((("key 0" IS NOT NULL) AND ("key 1" IS NOT NULL)) AND ("key 2" IS NOT NULL))) AS t4
GROUP BY 1, 2, 3) AS t5
GROUP BY 1, 2) AS t13
INNER JOIN (SELECT "key 0" AS "key 0",
count(*) AS "whole"
FROM (SELECT "key 0" AS "key 0",
"key 2" AS "key 2",
count(*) AS "seqreg_rows"
FROM (SELECT "key 0" AS "key 0",
"key 1" AS "key 1",
"key 2" AS "key 2",
count(*) AS "seqreg_rows"
FROM (SELECT "key 0", "key 1", "key 2"
FROM (SELECT "Species" AS "key 0",
"Isolate" AS "key 1",
"Segment" AS "key 2"
FROM (SELECT (columns), "Data Source"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t6) AS t7
WHERE ((("Species" IS NOT NULL) AND ("Isolate" IS NOT NULL)) AND ("Segment" IS NOT NULL))) AS t8) AS t9
WHERE ((("key 0" IS NOT NULL) AND ("key 1" IS NOT NULL)) AND ("key 2" IS NOT NULL))) AS t10
GROUP BY 1, 2, 3) AS t11
GROUP BY 1, 2) AS t12
GROUP BY 1) AS t14 ON t13."key 0" = t14."key 0") AS t15
GROUP BY 1, 2
