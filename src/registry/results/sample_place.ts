/** Name of the built-in sample in provenance and citations: it shows that the records are synthetic. */
export const SAMPLE_PLACE = "the built-in sample (synthetic)";
