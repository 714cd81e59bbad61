-- lengthByFamily: 1, 60a42023d204e9db
SELECT "seqreg_count" AS "seqreg_count",
count(*) AS "len"
FROM (SELECT "seqreg_count"
FROM (SELECT "Family" AS "seqreg_count"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
WHERE ("seqreg_count" RLIKE '(?U)^(?:(?:\\?|-(?:-)?|\\.|[nN](?:/[aA]|[aA](?:[nN])?|[oO](?:[nN][eE]|[tT] (?:[aA](?:[vV][aA][iI][lL][aA][bB][lL][eE]|[pP][pP][lL][iI][cC][aA][bB][lL][eE](?:: (?:[cC][oO][nN][tT][rR][oO][lL] [sSſ][aA][mM][pP][lL][eE]|[sSſ](?:[aA][mM][pP][lL][eE] [gG][rR][oO][uU][pP]|[yY][nN][tT][hH][eE][tT][iI][cC] [cC][oO][nN][sSſ][tT][rR][uU][cC][tT])|[lL][aA][bB] [sSſ][tT][oO][cC][kKK]|[tT][hH][iI][rR][dD] [pP][aA][rR][tT][yY] [dD][aA][tT][aA]|[dD][aA][tT][aA] [aA][gG][rR][eE][eE][mM][eE][nN][tT] [eE][sSſ][tT][aA][bB][lL][iI][sSſ][hH][eE][dD] [pP][rR][eE]-2023|[eE][nN][dD][aA][nN][gG][eE][rR][eE][dD] [sSſ][pP][eE][cC][iI][eE][sSſ]|[hH][uU][mM][aA][nN]-[iI][dD][eE][nN][tT][iI][fF][iI][aA][bB][lL][eE]))?)|[cC][oO][lL][lL][eE][cC][tT][eE][dD](?:: (?:[cC][oO][nN][tT][rR][oO][lL] [sSſ][aA][mM][pP][lL][eE]|[sSſ](?:[aA][mM][pP][lL][eE] [gG][rR][oO][uU][pP]|[yY][nN][tT][hH][eE][tT][iI][cC] [cC][oO][nN][sSſ][tT][rR][uU][cC][tT])|[lL][aA][bB] [sSſ][tT][oO][cC][kKK]|[tT][hH][iI][rR][dD] [pP][aA][rR][tT][yY] [dD][aA][tT][aA]|[dD][aA][tT][aA] [aA][gG][rR][eE][eE][mM][eE][nN][tT] [eE][sSſ][tT][aA][bB][lL][iI][sSſ][hH][eE][dD] [pP][rR][eE]-2023|[eE][nN][dD][aA][nN][gG][eE][rR][eE][dD] [sSſ][pP][eE][cC][iI][eE][sSſ]|[hH][uU][mM][aA][nN]-[iI][dD][eE][nN][tT][iI][fF][iI][aA][bB][lL][eE]))?|[pP][rR][oO][vV][iI][dD][eE][dD](?:: (?:[cC][oO][nN][tT][rR][oO][lL] [sSſ][aA][mM][pP][lL][eE]|[sSſ](?:[aA][mM][pP][lL][eE] [gG][rR][oO][uU][pP]|[yY][nN][tT][hH][eE][tT][iI][cC] [cC][oO][nN][sSſ][tT][rR][uU][cC][tT])|[lL][aA][bB] [sSſ][tT][oO][cC][kKK]|[tT][hH][iI][rR][dD] [pP][aA][rR][tT][yY] [dD][aA][tT][aA]|[dD][aA][tT][aA] [aA][gG][rR][eE][eE][mM][eE][nN][tT] [eE][sSſ][tT][aA][bB][lL][iI][sSſ][hH][eE][dD] [pP][rR][eE]-2023|[eE][nN][dD][aA][nN][gG][eE][rR][eE][dD] [sSſ][pP][eE][cC][iI][eE][sSſ]|[hH][uU][mM][aA][nN]-[iI][dD][eE][nN][tT][iI][fF][iI][aA][bB][lL][eE]))?))|[uU][lL][lL])|[uU][nN](?:[kKK](?:[nN][oO][wW][nN])?|[sSſ][pP][eE][cC][iI][fF][iI][eE][dD])|[mM][iI][sSſ][sSſ][iI][nN][gG](?:: (?:[cC][oO][nN][tT][rR][oO][lL] [sSſ][aA][mM][pP][lL][eE]|[sSſ](?:[aA][mM][pP][lL][eE] [gG][rR][oO][uU][pP]|[yY][nN][tT][hH][eE][tT][iI][cC] [cC][oO][nN][sSſ][tT][rR][uU][cC][tT])|[lL][aA][bB] [sSſ][tT][oO][cC][kKK]|[tT][hH][iI][rR][dD] [pP][aA][rR][tT][yY] [dD][aA][tT][aA]|[dD][aA][tT][aA] [aA][gG][rR][eE][eE][mM][eE][nN][tT] [eE][sSſ][tT][aA][bB][lL][iI][sSſ][hH][eE][dD] [pP][rR][eE]-2023|[eE][nN][dD][aA][nN][gG][eE][rR][eE][dD] [sSſ][pP][eE][cC][iI][eE][sSſ]|[hH][uU][mM][aA][nN]-[iI][dD][eE][nN][tT][iI][fF][iI][aA][bB][lL][eE]|[nN][oO][tT] (?:[aA][pP][pP][lL][iI][cC][aA][bB][lL][eE]|[cC][oO][lL][lL][eE][cC][tT][eE][dD]|[pP][rR][oO][vV][iI][dD][eE][dD])|[rR][eE][sSſ][tT][rR][iI][cC][tT][eE][dD] [aA][cC][cC][eE][sSſ][sSſ]))?|[xX][xX][xX][xX]-[xX][xX]-[xX][xX]|[rR][eE][sSſ][tT][rR][iI][cC][tT][eE][dD] [aA][cC][cC][eE][sSſ][sSſ](?:: (?:[cC][oO][nN][tT][rR][oO][lL] [sSſ][aA][mM][pP][lL][eE]|[sSſ](?:[aA][mM][pP][lL][eE] [gG][rR][oO][uU][pP]|[yY][nN][tT][hH][eE][tT][iI][cC] [cC][oO][nN][sSſ][tT][rR][uU][cC][tT])|[lL][aA][bB] [sSſ][tT][oO][cC][kKK]|[tT][hH][iI][rR][dD] [pP][aA][rR][tT][yY] [dD][aA][tT][aA]|[dD][aA][tT][aA] [aA][gG][rR][eE][eE][mM][eE][nN][tT] [eE][sSſ][tT][aA][bB][lL][iI][sSſ][hH][eE][dD] [pP][rR][eE]-2023|[eE][nN][dD][aA][nN][gG][eE][rR][eE][dD] [sSſ][pP][eE][cC][iI][eE][sSſ]|[hH][uU][mM][aA][nN]-[iI][dD][eE][nN][tT][iI][fF][iI][aA][bB][lL][eE]))?))?\\z|^\\s|\\s\\z|[^\\x00-\\x{17f}]')) AS t3
GROUP BY 1

-- lengthByFamily: 2, b58950b67a1f05a9
SELECT "group" AS "group",
count(*) AS "all",
coalesce(sum(CASE WHEN ("value" IS NOT NULL) THEN 1 ELSE 0 END), 0) AS "filled",
coalesce(sum(CASE WHEN CASE WHEN "value" IS NOT NULL THEN abs("value") < double('Infinity') END THEN 1 ELSE 0 END), 0) AS "seqreg_records"
FROM (SELECT "Family" AS "group",
CASE WHEN (CAST("Sequence Length" AS DOUBLE) IS NULL) THEN CAST(NULL AS DOUBLE) ELSE CASE WHEN (((CAST("Sequence Length" AS DOUBLE) >= 1D) AND (CAST("Sequence Length" AS DOUBLE) <= 5000000D)) AND CASE WHEN CAST("Sequence Length" AS DOUBLE) IS NOT NULL THEN NOT isnan(CAST("Sequence Length" AS DOUBLE)) END) THEN CAST("Sequence Length" AS DOUBLE) ELSE double('NaN') END END AS "value"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
GROUP BY 1

-- lengthByFamily: 3, 0c4f22dc69a2de7f
-- seqreg_frame_0: group, seqreg_rank; 86 rows
SELECT t4."group", t4."value", t4."seqreg_rank"
FROM (SELECT "group" AS "group",
"value" AS "value",
CASE WHEN "value" IS NOT NULL THEN CAST(row_number() OVER (PARTITION BY "group"
ORDER BY "value" ASC NULLS LAST) AS BIGINT) END AS "seqreg_rank"
FROM (SELECT "group", "value"
FROM (SELECT "Family" AS "group",
CASE WHEN (CAST("Sequence Length" AS DOUBLE) IS NULL) THEN CAST(NULL AS DOUBLE) ELSE CASE WHEN (((CAST("Sequence Length" AS DOUBLE) >= 1D) AND (CAST("Sequence Length" AS DOUBLE) <= 5000000D)) AND CASE WHEN CAST("Sequence Length" AS DOUBLE) IS NOT NULL THEN NOT isnan(CAST("Sequence Length" AS DOUBLE)) END) THEN CAST("Sequence Length" AS DOUBLE) ELSE double('NaN') END END AS "value"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1) AS t2
WHERE (CASE WHEN "value" IS NOT NULL THEN abs("value") < double('Infinity') END AND ("group" IS NOT NULL))) AS t3) AS t4
INNER JOIN (SELECT "group", "seqreg_rank" FROM "seqreg_frame_0") AS t5 ON t4."group" = t5."group" AND t4."seqreg_rank" = t5."seqreg_rank"
