/**
 * The query grammar of the embedded registry, by example: one table for the landing page, `seqreg search --help` and
 * `docs/queries.md`. The parser (`query_parser.ts`) has the rules.
 */

export interface GrammarForm {
  /** Queries of this form, as they are written. */
  readonly written: readonly string[];
  readonly finds: string;
}

/**
 * The forms of a query that the embedded registry understands.
 *
 * @see Specification 4.4 shows `field:value` clauses separated by spaces; the other forms are not shown in the
 * specification: chosen because users of search engines know them. A live registry may read them otherwise.
 */
export const QUERY_GRAMMAR: readonly GrammarForm[] = [
  {
    written: ["country:Germany sequence_length:1000"],
    finds: "all clauses hold; a value equals the whole value, upper or lower case",
  },
  { written: ['"Host Species":human', "'Host Species':human"], finds: "a field by its public name, in quotes" },
  { written: ["country|host_country:Kenya"], finds: "one of the fields has the value" },
  { written: ['country:"Viet Nam"', "country:'Viet Nam'"], finds: "a value with spaces, in quotes" },
  { written: ["zika", '"west nile"', "corona*"], finds: "the word, or the words in a row, in any field" },
  { written: ["country:Ger*", "isolate:A?12"], finds: "* stands for any characters, ? for one" },
  { written: ["country:*", "-country:*"], finds: "the field has a value; it is missing" },
  { written: ["sequence_length:[1000 TO 2000]", "sequence_length:>=1000"], finds: "a range; { and } exclude an end" },
  {
    written: ["collection_date:2013", "collection_date:[2013-06 TO 2014]"],
    finds: "the date lies within, as far as known",
  },
  { written: ["-country:Germany", "NOT country:Germany"], finds: "the clause does not hold" },
  { written: ["country:(Germany OR France)", "zika OR dengue"], finds: "one of the alternatives holds" },
  { written: ["*"], finds: "every record" },
];
