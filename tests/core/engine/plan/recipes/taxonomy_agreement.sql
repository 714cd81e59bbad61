-- taxonomyAgreement: 1, 76977d7e40f87121
SELECT "key 0" AS "key 0",
"key 1" AS "key 1",
count(*) AS "seqreg_count"
FROM (SELECT "Rank" AS "key 0",
"Relation" AS "key 1"
FROM (SELECT "Taxon" AS "Taxon",
"Rank" AS "Rank",
"Mapped Taxon" AS "Mapped Taxon",
"Relation" AS "Relation"
FROM (SELECT "Taxon", "Rank", "Mapped Taxon", "Relation" FROM "seqreg: files of reftax1_to_reftax2_map") AS t0) AS t1) AS t2
GROUP BY 1, 2
