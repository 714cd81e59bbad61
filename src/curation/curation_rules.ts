/**
 * The rules of a curation, as data: what each means, and the words that it looks for in which fields.
 *
 * | rule | leaves out records |
 * |---|---|
 * | `patent` | of patents |
 * | `laboratory` | of laboratory strains, passages and clones |
 * | `synthetic` | of artificial constructs and vectors |
 * | `environmental` | of environmental samples and metagenomes |
 * | `replaced` | that another record replaces |
 * | `withdrawn` | that were withdrawn or suppressed |
 * | `implausible` | with a length, GC content or date outside the plausible ranges, or collected after their release |
 * | `ambiguous` | with more than 5 % ambiguous bases (`mostAmbiguous`) |
 * | `short` | shorter than half of their species' median (`leastLength`); see {@linkcode CurationRules} |
 * | `missing-field` | without a value in a field that is asked for (`require`) |
 * | `duplicate` | with the same sequence as a record that is kept |
 */
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { PLAUSIBLE_RULES, type PlausibleRanges } from "@seqreg/analysis/run/plausible";

/** Words in fields by which a rule knows a record. */
export interface RuleWords {
  /** Fields by role (`host`), by a name of {@linkcode FIELD_NAMES} (`title`), or by their own name. */
  readonly fields: readonly string[];
  /** Whole words, whatever their case; a space in them stands for any run of spaces, hyphens and underscores. */
  readonly words: readonly string[];
}

/** A rule that looks for words. */
export interface WordRule {
  /** Its name: the reason in `excluded.tsv`. */
  readonly name: string;
  /** What it leaves out, in words. */
  readonly meaning?: string;
  /** A record is left out if one of these finds a word. */
  readonly matches: readonly RuleWords[];
}

/** What a curation does beyond the rules as they are. */
export interface CurationRules {
  /** Rules that are not applied. */
  readonly without?: readonly string[];
  /** Rules of one's own. */
  readonly add?: readonly WordRule[];
  /** Fields that every record must have a value in. */
  readonly require?: readonly string[];
  /** Largest share of ambiguous bases; 0.05 by default. */
  readonly mostAmbiguous?: number;
  /**
   * Least length as a share of the median length of the records of the same species (and segment) that are marked
   * complete; 0.5 by default. A species with fewer than ten of these is not judged.
   */
  readonly leastLength?: number;
  /** Ranges of plausible values. */
  readonly plausible?: PlausibleRanges;
}

/** Names of fields that rules read and that play no role in analyses, as aliases, the preferred first. */
export const FIELD_NAMES: Readonly<Record<string, readonly string[]>> = {
  title: ["sequence_name", "title", "genbank_title", "definition", "description", "record_title"],
  keywords: ["keywords", "keyword"],
  division: ["genbank_division", "data_division"],
  status: ["status", "record_status", "accession_status", "insdc_status"],
  replacedBy: ["replaced_by", "superseded_by"],
  passage: ["passage", "passage_history", "lab_passage"],
  isolationSource: ["isolation_source", "sample_source", "specimen", "tissue_specimen_source"],
  sequence: ["sequence", "nucleotide_sequence"],
  digest: ["sequence_digest", "digest", "sha512t24u", "sequence_md5", "md5"],
};

/** Rules by words, in the order in which they give a record its first reason. */
export const WORD_RULES: readonly WordRule[] = [
  {
    name: "patent",
    meaning: "sequences of patents",
    matches: [
      { fields: ["title", "keywords", "dataSource", "division"], words: ["patent", "patents", "patented"] },
      { fields: ["division"], words: ["PAT"] },
    ],
  },
  {
    name: "laboratory",
    meaning: "laboratory strains, passages and clones",
    matches: [
      {
        fields: ["title", "isolate", "host", "isolationSource", "keywords"],
        words: [
          "laboratory strain",
          "lab strain",
          "laboratory adapted",
          "lab adapted",
          "laboratory stock",
          "lab stock",
          "cell adapted",
          "cell culture adapted",
          "mouse adapted",
          "passaged",
          "serial passage",
          "infectious clone",
          "molecular clone",
          "vaccine strain",
          "attenuated strain",
        ],
      },
      { fields: ["isolationSource", "host"], words: ["cell culture", "tissue culture", "cell line"] },
    ],
  },
  {
    name: "synthetic",
    meaning: "artificial constructs and vectors",
    matches: [
      {
        fields: ["title", "species", "isolate", "molecule", "keywords"],
        words: [
          "synthetic construct",
          "synthetic sequence",
          "artificial sequence",
          "cloning vector",
          "expression vector",
          "shuttle vector",
          "reverse genetics",
        ],
      },
      { fields: ["division"], words: ["SYN"] },
    ],
  },
  {
    name: "environmental",
    meaning: "environmental samples and metagenomes",
    matches: [
      {
        fields: ["title", "host", "isolationSource", "keywords"],
        words: ["environmental sample", "environmental samples", "metagenome", "metagenomic", "uncultured"],
      },
      {
        fields: ["host", "isolationSource"],
        words: [
          "environment",
          "environmental",
          "wastewater",
          "waste water",
          "sewage",
          "sludge",
          "seawater",
          "sea water",
          "freshwater",
          "soil",
          "sediment",
        ],
      },
      { fields: ["division"], words: ["ENV"] },
    ],
  },
  {
    name: "replaced",
    meaning: "records that another replaces",
    matches: [{ fields: ["status"], words: ["replaced", "superseded", "obsolete"] }],
  },
  {
    name: "withdrawn",
    meaning: "records that were withdrawn or suppressed",
    matches: [{ fields: ["status"], words: ["withdrawn", "suppressed", "removed", "retracted", "deleted"] }],
  },
];

/** Rules by values, in the order in which they give a record its first reason, after those by words. */
export const VALUE_RULES: Readonly<Record<"implausible" | "ambiguous" | "short" | "missing-field", string>> = {
  "implausible": "values outside the plausible ranges, and collection after release",
  "ambiguous": "too many ambiguous bases",
  "short": "too short for their species",
  "missing-field": "no value in a field that is asked for",
};

/** The last rule: it needs to know which records the others keep. */
export const DUPLICATE_RULE = { name: "duplicate", meaning: "the sequence of a record that is kept" } as const;

/** Names of all rules that there are without a caller's own. */
export const RULE_NAMES: readonly string[] = [
  ...WORD_RULES.map(({ name }) => name),
  ...Object.keys(VALUE_RULES),
  DUPLICATE_RULE.name,
];

const RULE_NAME = rule.textLike("a name of lower-case letters, digits and hyphens", /^[a-z][a-z0-9-]*$/);

export const CURATION_RULES = {
  without: rule.texts,
  add: rule.listOf(
    rule.shape<WordRule>({
      name: rule.required(RULE_NAME),
      meaning: rule.text,
      matches: rule.required(
        rule.listOf(
          rule.shape<RuleWords>({
            fields: rule.required(rule.listOf(rule.text, "fields", { from: 1 })),
            words: rule.required(rule.listOf(rule.text, "words", { from: 1 })),
          }),
          "objects { fields, words }",
          { from: 1 },
        ),
      ),
    }),
    "rules { name, meaning?, matches }",
  ),
  require: rule.texts,
  mostAmbiguous: rule.number({ from: 0, to: 1 }),
  leastLength: rule.number({ from: 0, to: 1 }),
  plausible: rule.shape(PLAUSIBLE_RULES),
} satisfies OptionRules<CurationRules>;
