/** Name of the built-in sample in provenance and citations: it shows that the records are synthetic. */
export const SAMPLE_PLACE = "the built-in sample (synthetic)";

/** Name of the registry `zika` in provenance and citations: it shows source and day of its records. */
export const ZIKA_PLACE = "the built-in Zika genomes (34 records of INSDC, copied 2026-11-25)";
