/** `POST /v2/sequence`: the shapes of its request and response. */

/** Records of a sequence request. Its key on the wire is the naming's `accessionsKey`. Source: Specification 4.3. */
export interface SequenceRequest {
  /** Registry accessions, each `vj` and twelve digits. */
  readonly accessions: readonly string[];
}

/** Each accession with its sequence. Source: Specification 4.3. */
export type SequenceResponse = Readonly<Record<string, string>>;
