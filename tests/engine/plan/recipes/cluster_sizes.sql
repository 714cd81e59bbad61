-- clusterSizes: 1, 3d687e63f2377806
SELECT "key 0" AS "key 0",
count(*) AS "seqreg_key"
FROM (SELECT "key 0"
FROM (SELECT "Cluster" AS "key 0"
FROM (SELECT (columns), "Data Source"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1
WHERE ("Cluster" IS NOT NULL)) AS t2) AS t3
WHERE ("key 0" RLIKE '(?U)^(?i:(?:\\?|-(?:-)?|\\.|n(?:/a|a(?:n)?|o(?:ne|t (?:a(?:vailable|pplicable(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?)|collected(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?|provided(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))|ull)|un(?:k(?:nown)?|specified)|missing(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable|not (?:applicable|collected|provided)|restricted access))?|restricted access(?:: (?:control sample|s(?:ample group|ynthetic construct)|lab stock|third party data|data agreement established pre-2023|endangered species|human-identifiable))?))?\\z|^\\s|\\s\\z|[^\\x00-\\x{17f}]')) AS t4
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
