/** The codes of what curations, samples and isolates do. */
import type { LedgerCode } from "../../options/ledger_code.ts";
import { type LedgerCodeInfo, warning } from "./ledger_code_info.ts";

/** Their levels, meanings and advice. */
export const CURATION_CODES = {
  "accession-repeated": warning(
    "Several records or sequences have one accession, so it is unknown which belong together.",
    "Give each record its own accession, and one sequence.",
  ),
  "rules-not-applied": warning(
    "Rules of a curation were not applied, because the data lacks the fields that they read.",
    "Name the fields by their role, or use a source that has them.",
  ),
  "without-isolate": warning(
    "Records name no isolate or no species, so they are in no isolate.",
    "Name the fields by their role, or use a source that has them.",
  ),
  "segments-ambiguous": warning(
    "Names of segments mean several segments of their species, or none that is known.",
    "Read the column `ambiguous`; correct the names in the source.",
  ),
  "word-is-value": warning(
    "A word for missing is a value in a field, as its other values tell: the segment NA, or Namibia among codes.",
    "Nothing, unless it means that the value is missing: write an empty text then.",
  ),
  "groups-short": warning(
    "Groups of a sample have fewer records than their share, and gave all.",
    "Read `groups.tsv`; draw fewer, or group by coarser fields.",
  ),
  "groups-not-drawn": warning(
    "Groups got no record of a sample, so it says nothing about them.",
    "Draw more, or group by coarser fields.",
  ),
  "records-forced": warning(
    "Groups of a sample have records that were drawn in any case, not by chance.",
    "Give these the weight 1 in estimates, and share the rest among the others of their group.",
  ),
} satisfies Partial<Record<LedgerCode, LedgerCodeInfo>>;
