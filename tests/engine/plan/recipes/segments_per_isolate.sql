-- segmentsPerIsolate: 1, d9cd16b5d3572f95, as clusterSizes: 3

-- segmentsPerIsolate: 2 and 2 more for other columns, 6ddd98d10af89823
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
WHERE ((("key 0" RLIKE '(?U)^(?i:(?:\\?|-(?:-)?|\\.|n(?:/a|a(?:n)?|o(?:ne|t (?:a(?:vailable|pplicable(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?)|collected(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?|provided(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))|ull)|un(?:k(?:nown)?|specified)|missing(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable|not (?:applicable|collected|provided)|restricted access))?|restricted access(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))?\\z|^\\s|\\s\\z|[^\\x00-\\x{17f}]') OR ("key 1" RLIKE '(?U)^(?i:(?:\\?|-(?:-)?|\\.|n(?:/a|a(?:n)?|o(?:ne|t (?:a(?:vailable|pplicable(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?)|collected(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?|provided(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))|ull)|un(?:k(?:nown)?|specified)|missing(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable|not (?:applicable|collected|provided)|restricted access))?|restricted access(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))?\\z|^\\s|\\s\\z|[^\\x00-\\x{17f}]')) OR ("key 2" RLIKE '(?U)^(?i:(?:\\?|-(?:-)?|\\.|n(?:/a|a(?:n)?|o(?:ne|t (?:a(?:vailable|pplicable(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?)|collected(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?|provided(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))|ull)|un(?:k(?:nown)?|specified)|missing(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable|not (?:applicable|collected|provided)|restricted access))?|restricted access(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))?\\z|^\\s|\\s\\z|[^\\x00-\\x{17f}]'))) AS t4
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
