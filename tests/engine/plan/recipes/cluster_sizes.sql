-- clusterSizes: 1, 1399a5ce709d9754
SELECT "key 0" AS "key 0",
count(*) AS "seqreg_key"
FROM (SELECT "key 0"
FROM (SELECT "Cluster" AS "key 0"
FROM (SELECT (columns), "Data Source"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1
WHERE ("Cluster" IS NOT NULL)) AS t2) AS t3
WHERE ("key 0" RLIKE '(?U)^(?i:\\?|-|--|\\.|n/a|na|nan|none|null|unknown|unk|missing|not available|not applicable|not collected|not provided|unspecified|restricted access|missing: control sample|missing: sample group|missing: synthetic construct|missing: lab stock|missing: third party data|missing: data agreement established pre-2023|missing: endangered species|missing: human-identifiable|not applicable: control sample|not applicable: sample group|not applicable: synthetic construct|not applicable: lab stock|not applicable: third party data|not applicable: data agreement established pre-2023|not applicable: endangered species|not applicable: human-identifiable|not collected: control sample|not collected: sample group|not collected: synthetic construct|not collected: lab stock|not collected: third party data|not collected: data agreement established pre-2023|not collected: endangered species|not collected: human-identifiable|not provided: control sample|not provided: sample group|not provided: synthetic construct|not provided: lab stock|not provided: third party data|not provided: data agreement established pre-2023|not provided: endangered species|not provided: human-identifiable|restricted access: control sample|restricted access: sample group|restricted access: synthetic construct|restricted access: lab stock|restricted access: third party data|restricted access: data agreement established pre-2023|restricted access: endangered species|restricted access: human-identifiable|missing: not applicable|missing: not collected|missing: not provided|missing: restricted access)?\\z|^\\s|\\s\\z|[^\\x00-\\x{17f}]')) AS t4
GROUP BY 1

-- clusterSizes: 2, 3665a01bbcdf7c2c
SELECT "size" AS "size",
count(*) AS "groups"
FROM (SELECT "key 0" AS "key 0",
count(*) AS "size"
FROM (SELECT "key 0"
FROM (SELECT "Cluster" AS "key 0"
FROM (SELECT (columns), "Data Source"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1
WHERE ("Cluster" IS NOT NULL)) AS t2) AS t3
WHERE ("key 0" IS NOT NULL)) AS t4
GROUP BY 1) AS t5
GROUP BY 1

-- clusterSizes: 3, d9cd16b5d3572f95
SELECT count(*) AS "seqreg_count"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1
