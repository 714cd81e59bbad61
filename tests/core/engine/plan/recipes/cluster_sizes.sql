-- clusterSizes: 1, 4931152e24307465
SELECT "key 0" AS "key 0",
count(*) AS "seqreg_count"
FROM (SELECT "key 0"
FROM (SELECT "Cluster" AS "key 0"
FROM (SELECT (columns), "Data Source"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1
WHERE ("Cluster" IS NOT NULL)) AS t2) AS t3
WHERE ("key 0" RLIKE '(?U)^(?:(?:\\?|-(?:-)?|\\.|[nN](?:/[aA]|[aA](?:[nN])?|[oO](?:[nN][eE]|[tT] (?:[aA](?:[vV][aA][iI][lL][aA][bB][lL][eE]|[pP][pP][lL][iI][cC][aA][bB][lL][eE](?:: (?:[cC][oO][nN][tT][rR][oO][lL] [sSſ][aA][mM][pP][lL][eE]|[sSſ](?:[aA][mM][pP][lL][eE] [gG][rR][oO][uU][pP]|[yY][nN][tT][hH][eE][tT][iI][cC] [cC][oO][nN][sSſ][tT][rR][uU][cC][tT])|[lL][aA][bB] [sSſ][tT][oO][cC][kKK]|[tT][hH][iI][rR][dD] [pP][aA][rR][tT][yY] [dD][aA][tT][aA]|[dD][aA][tT][aA] [aA][gG][rR][eE][eE][mM][eE][nN][tT] [eE][sSſ][tT][aA][bB][lL][iI][sSſ][hH][eE][dD] [pP][rR][eE]-2023|[eE][nN][dD][aA][nN][gG][eE][rR][eE][dD] [sSſ][pP][eE][cC][iI][eE][sSſ]|[hH][uU][mM][aA][nN]-[iI][dD][eE][nN][tT][iI][fF][iI][aA][bB][lL][eE]))?)|[cC][oO][lL][lL][eE][cC][tT][eE][dD](?:: (?:[cC][oO][nN][tT][rR][oO][lL] [sSſ][aA][mM][pP][lL][eE]|[sSſ](?:[aA][mM][pP][lL][eE] [gG][rR][oO][uU][pP]|[yY][nN][tT][hH][eE][tT][iI][cC] [cC][oO][nN][sSſ][tT][rR][uU][cC][tT])|[lL][aA][bB] [sSſ][tT][oO][cC][kKK]|[tT][hH][iI][rR][dD] [pP][aA][rR][tT][yY] [dD][aA][tT][aA]|[dD][aA][tT][aA] [aA][gG][rR][eE][eE][mM][eE][nN][tT] [eE][sSſ][tT][aA][bB][lL][iI][sSſ][hH][eE][dD] [pP][rR][eE]-2023|[eE][nN][dD][aA][nN][gG][eE][rR][eE][dD] [sSſ][pP][eE][cC][iI][eE][sSſ]|[hH][uU][mM][aA][nN]-[iI][dD][eE][nN][tT][iI][fF][iI][aA][bB][lL][eE]))?|[pP][rR][oO][vV][iI][dD][eE][dD](?:: (?:[cC][oO][nN][tT][rR][oO][lL] [sSſ][aA][mM][pP][lL][eE]|[sSſ](?:[aA][mM][pP][lL][eE] [gG][rR][oO][uU][pP]|[yY][nN][tT][hH][eE][tT][iI][cC] [cC][oO][nN][sSſ][tT][rR][uU][cC][tT])|[lL][aA][bB] [sSſ][tT][oO][cC][kKK]|[tT][hH][iI][rR][dD] [pP][aA][rR][tT][yY] [dD][aA][tT][aA]|[dD][aA][tT][aA] [aA][gG][rR][eE][eE][mM][eE][nN][tT] [eE][sSſ][tT][aA][bB][lL][iI][sSſ][hH][eE][dD] [pP][rR][eE]-2023|[eE][nN][dD][aA][nN][gG][eE][rR][eE][dD] [sSſ][pP][eE][cC][iI][eE][sSſ]|[hH][uU][mM][aA][nN]-[iI][dD][eE][nN][tT][iI][fF][iI][aA][bB][lL][eE]))?))|[uU][lL][lL])|[uU][nN](?:[kKK](?:[nN][oO][wW][nN])?|[sSſ][pP][eE][cC][iI][fF][iI][eE][dD])|[mM][iI][sSſ][sSſ][iI][nN][gG](?:: (?:[cC][oO][nN][tT][rR][oO][lL] [sSſ][aA][mM][pP][lL][eE]|[sSſ](?:[aA][mM][pP][lL][eE] [gG][rR][oO][uU][pP]|[yY][nN][tT][hH][eE][tT][iI][cC] [cC][oO][nN][sSſ][tT][rR][uU][cC][tT])|[lL][aA][bB] [sSſ][tT][oO][cC][kKK]|[tT][hH][iI][rR][dD] [pP][aA][rR][tT][yY] [dD][aA][tT][aA]|[dD][aA][tT][aA] [aA][gG][rR][eE][eE][mM][eE][nN][tT] [eE][sSſ][tT][aA][bB][lL][iI][sSſ][hH][eE][dD] [pP][rR][eE]-2023|[eE][nN][dD][aA][nN][gG][eE][rR][eE][dD] [sSſ][pP][eE][cC][iI][eE][sSſ]|[hH][uU][mM][aA][nN]-[iI][dD][eE][nN][tT][iI][fF][iI][aA][bB][lL][eE]|[nN][oO][tT] (?:[aA][pP][pP][lL][iI][cC][aA][bB][lL][eE]|[cC][oO][lL][lL][eE][cC][tT][eE][dD]|[pP][rR][oO][vV][iI][dD][eE][dD])|[rR][eE][sSſ][tT][rR][iI][cC][tT][eE][dD] [aA][cC][cC][eE][sSſ][sSſ]))?|[xX][xX][xX][xX]-[xX][xX]-[xX][xX]|[rR][eE][sSſ][tT][rR][iI][cC][tT][eE][dD] [aA][cC][cC][eE][sSſ][sSſ](?:: (?:[cC][oO][nN][tT][rR][oO][lL] [sSſ][aA][mM][pP][lL][eE]|[sSſ](?:[aA][mM][pP][lL][eE] [gG][rR][oO][uU][pP]|[yY][nN][tT][hH][eE][tT][iI][cC] [cC][oO][nN][sSſ][tT][rR][uU][cC][tT])|[lL][aA][bB] [sSſ][tT][oO][cC][kKK]|[tT][hH][iI][rR][dD] [pP][aA][rR][tT][yY] [dD][aA][tT][aA]|[dD][aA][tT][aA] [aA][gG][rR][eE][eE][mM][eE][nN][tT] [eE][sSſ][tT][aA][bB][lL][iI][sSſ][hH][eE][dD] [pP][rR][eE]-2023|[eE][nN][dD][aA][nN][gG][eE][rR][eE][dD] [sSſ][pP][eE][cC][iI][eE][sSſ]|[hH][uU][mM][aA][nN]-[iI][dD][eE][nN][tT][iI][fF][iI][aA][bB][lL][eE]))?))?\\z|^\\s|\\s\\z|[^\\x00-\\x{17f}]')) AS t4
GROUP BY 1

-- clusterSizes: 2, 2535eedbca5fe542
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

-- clusterSizes: 3, a804ae4e36bfaca7
SELECT count(*) AS "seqreg_count"
FROM (SELECT (columns), "Data Source" AS "Data Source"
FROM (SELECT (columns), "Data Source" FROM "seqreg: files of full_dataset_metadata") AS t0) AS t1
