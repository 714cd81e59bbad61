/** What the built-in sample is called in provenance and citations: its name says that it is no data. */
export const SAMPLE_PLACE = "the built-in sample (synthetic)";
