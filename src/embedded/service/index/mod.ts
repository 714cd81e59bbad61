/**
 * The columnar index of the embedded registry: finds, counts, sorts and rates records without a database.
 *
 * Own code instead of DuckDB, which needs `--allow-ffi` wherever the registry runs; its speed at 15 million records is
 * shown by `deno task bench service 15000000`.
 *
 * **Fields.** A field with few values (up to 131,072, and 600,000 or 64 MB in all) has a dictionary in the order that
 * the field sorts by, a code for each row, and the rows in the order of their codes: that is the field's order, and for
 * each value the list of its rows. Any condition on the field is asked of its values, and becomes a set of codes. A
 * field with many values, such as an accession or a name, has its folded texts in blocks, its order (sorted in runs and
 * merged), and tokens. Which it is turns out while records come; a field that gets too many values is written again as
 * texts.
 *
 * **Tokens.** A value as a whole, each element of a list, and each word has a token: two hashes of 32 bits, keyed by
 * numbers drawn for each import. Tokens of dictionaries lead to values, those of texts to rows. What at most 512 values
 * or rows have is read and compared; for more, the 64 bits are trusted. Rows of a frequent token are a list or planes
 * of bits, one plane for those that have it once, another for twice, so that relevance needs no texts.
 *
 * **Conditions.** A query becomes a condition that is asked of a block of 65,536 rows at a time: which of these
 * positions hold? `and` asks the rarest first and the others only about what is left; conditions on one field become
 * one; what few rows hold becomes a list at once. Patterns and phrases over fields with many values search the texts.
 *
 * **Answers.** Facet fields whose values correlate are joined, so that one code represents several; results are counted
 * by these, and for conditions on one facet field the counts are precomputed. Sorting walks the field's order until the
 * page is full, or counts the result's rows by code, whichever is less work; relevance keeps the best rows of one pass.
 * A pass over the blocks that the page needs takes the facets as well.
 *
 * **Turns.** Everything that takes long stops every few milliseconds so that other requests are answered, and ends with
 * its signal. Files are read in pieces of which 128 MB are kept. Building takes a thread of its own where records are
 * many; it can begin again after `seal`.
 *
 * The files have a version, which belongs to the import's name: others are never read. Tests compare the answers with
 * those of `query_evaluate.ts` and of DuckDB.
 *
 * @module
 */
export { openIndex } from "./open_index.ts";
export { INDEX_VERSION } from "./format/index_file.ts";
export { resumeIndex, startIndex } from "./start_index.ts";
export type { Finder, IndexWriter, RowRange } from "./format/types.ts";
