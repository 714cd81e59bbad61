/** An archive, independent of its file name in a deployment. */
export type ArchiveId =
  | "reftax1_to_reftax2_map"
  | "full_dataset_sequence"
  | "unique_seqs_sequence"
  | "votu_clusters_metadata"
  | "full_dataset_metadata"
  | "unique_seqs_metadata"
  | "votu_cluster_comparison_metrics"
  | "votu_clusters_sequence";

/** The eight archives, in the order of the specification. Source: Specification 4.1. */
export const ARCHIVE_IDS: readonly ArchiveId[] = [
  "reftax1_to_reftax2_map",
  "full_dataset_sequence",
  "unique_seqs_sequence",
  "votu_clusters_metadata",
  "full_dataset_metadata",
  "unique_seqs_metadata",
  "votu_cluster_comparison_metrics",
  "votu_clusters_sequence",
];
