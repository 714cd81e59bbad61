-- clusterQuality: 1, 6f1568189d1c1fd5
SELECT "identity" AS "identity",
"coverage" AS "coverage",
"itself" AS "itself",
count(*) AS "seqreg_count"
FROM (SELECT CASE WHEN coalesce(((("Identity" < 0D) OR ("Identity" > 100D)) AND CASE WHEN "Identity" IS NOT NULL THEN NOT isnan("Identity") END), FALSE) THEN 8D ELSE CASE WHEN coalesce(CASE WHEN "Identity" IS NOT NULL THEN abs("Identity") < double('Infinity') END, FALSE) THEN CASE WHEN ("Identity" >= 100D) THEN 0D ELSE CASE WHEN ("Identity" >= 99D) THEN 1D ELSE CASE WHEN ("Identity" >= 95D) THEN 2D ELSE CASE WHEN ("Identity" >= 90D) THEN 3D ELSE CASE WHEN ("Identity" >= 70D) THEN 4D ELSE CASE WHEN ("Identity" > 1D) THEN 5D ELSE CASE WHEN ("Identity" > 0D) THEN 6D ELSE 7D END END END END END END END ELSE CAST(NULL AS DOUBLE) END END AS "identity",
CASE WHEN coalesce(((("Coverage" < 0D) OR ("Coverage" > 100D)) AND CASE WHEN "Coverage" IS NOT NULL THEN NOT isnan("Coverage") END), FALSE) THEN 8D ELSE CASE WHEN coalesce(CASE WHEN "Coverage" IS NOT NULL THEN abs("Coverage") < double('Infinity') END, FALSE) THEN CASE WHEN ("Coverage" >= 100D) THEN 0D ELSE CASE WHEN ("Coverage" >= 99D) THEN 1D ELSE CASE WHEN ("Coverage" >= 95D) THEN 2D ELSE CASE WHEN ("Coverage" >= 90D) THEN 3D ELSE CASE WHEN ("Coverage" >= 70D) THEN 4D ELSE CASE WHEN ("Coverage" > 1D) THEN 5D ELSE CASE WHEN ("Coverage" > 0D) THEN 6D ELSE 7D END END END END END END END ELSE CAST(NULL AS DOUBLE) END END AS "coverage",
("Representative" = "Member") AS "itself"
FROM (SELECT "Cluster" AS "Cluster",
"Representative" AS "Representative",
"Member" AS "Member",
"Identity" AS "Identity",
"Coverage" AS "Coverage"
FROM (SELECT "Cluster", "Representative", "Member", "Identity", "Coverage" FROM "seqreg: files of votu_cluster_comparison_metrics") AS t0) AS t1) AS t2
GROUP BY 1, 2, 3
