/**
 * Shapes that the interface description defines and no path uses. The toolkit neither sends nor reads them; they are
 * included for completeness, in case a deployment documents their paths.
 *
 * Names of properties are those of the specification, which writes `registry` for a service's own name.
 */
import type { FileType } from "../enumerations.ts";

/** What a suggestion would be asked with. Unused. Source: Specification 2.6. */
export interface SuggestionRequest {
  /** What was typed. */
  readonly term: string;
  /** Suggestions at most (default: 5). */
  readonly limit?: number;
}

/** Suggestions for a term. Unused. Source: Specification 2.6. */
export interface SuggestionResponse {
  /** The suggestions. */
  readonly suggestions: readonly Suggestion[];
}

/** One suggestion. Unused. Source: Specification 2.6. */
export interface Suggestion {
  /** What the term would be replaced with. */
  readonly replace: string;
  /** Kind of the suggestion; its values are not shown. */
  readonly type: string;
  /** Alias of a field. */
  readonly alias?: string | null;
  /** Name of a field. */
  readonly field?: string | null;
  /** Public name of a field. */
  readonly public?: string | null;
}

/** What taxon information would be asked with. Unused. Source: Specification 2.6. */
export interface ViralzoneRequest {
  /** Name of a rank. */
  readonly rank_name?: string | null;
  /** Name of a taxon. */
  readonly taxon_name?: string | null;
  /** An identifier of the registry. */
  readonly registry_id?: string | null;
}

/** An e-mail. Unused. Source: Specification 2.6. */
export interface EmailRequest {
  /** Its subject. */
  readonly subject: string;
  /** Its text. */
  readonly body: string;
}

/** A project. Unused. Source: Specification 2.6. */
export interface ProjectInput {
  /** Its title. */
  readonly projectTitle: string;
  /** What it is about. */
  readonly projectDescription: string;
  /** Who contributes. */
  readonly projectContributors: readonly string[];
  /** Samples, a count. */
  readonly numberOfSamples: number;
  /** Experiments, a count. */
  readonly numberOfExperiments: number;
  /** Analyses, a count. */
  readonly numberOfAnalysis: number;
  /** When it was made; the form of the time is not shown. */
  readonly createdTime?: string;
  /** When it was last edited; the form of the time is not shown. */
  readonly lastEditedTime?: string;
  /** Its identifier. */
  readonly projectID?: string;
}

/** Metadata of an object. Unused. Source: Specification 2.6. */
export interface ObjectMetadata {
  /** When it was made; the form of the time is not shown. */
  readonly createdTime: string;
  /** Its identifier. */
  readonly id: string;
}

/** Body of a form download. Unused. Source: Specification 2.6. */
export interface FormDownloadBody {
  /** What is exported, as text. */
  readonly download: string;
  /** Criteria, as text. */
  readonly search: string;
}

/** Body of a simple download. Unused. Source: Specification 2.6. */
export interface SimpleDownloadBody {
  /** Format of the file. */
  readonly format: FileType;
  /** All records, or those of `ids`. */
  readonly scope: "all" | "ids";
  /** Columns, as one text. */
  readonly columns: string;
  /** Whether sequences are exported. */
  readonly sequences: boolean;
  /** Search expression. */
  readonly query: string;
  /** Identifiers, as one text. */
  readonly ids?: string | null;
}

/** Body of an upload of JSON. Unused. Source: Specification 2.6. */
export interface JsonFileUploadBody {
  /** The file's bytes. */
  readonly json_file: Blob;
}

/** Body of an upload. Unused. Source: Specification 2.6. */
export interface FileUploadBody {
  /** The file's bytes. */
  readonly file: Blob;
}

/** The unused shapes by name. */
export interface UnusedShapes {
  /** See {@linkcode SuggestionRequest}. */
  readonly SuggestionRequest: SuggestionRequest;
  /** See {@linkcode SuggestionResponse}. */
  readonly SuggestionResponse: SuggestionResponse;
  /** See {@linkcode Suggestion}. */
  readonly Suggestion: Suggestion;
  /** See {@linkcode ViralzoneRequest}. */
  readonly ViralzoneRequest: ViralzoneRequest;
  /** See {@linkcode EmailRequest}. */
  readonly EmailRequest: EmailRequest;
  /** See {@linkcode ProjectInput}. */
  readonly ProjectInput: ProjectInput;
  /** See {@linkcode ObjectMetadata}. */
  readonly ObjectMetadata: ObjectMetadata;
  /** See {@linkcode FormDownloadBody}. */
  readonly FormDownloadBody: FormDownloadBody;
  /** See {@linkcode SimpleDownloadBody}. */
  readonly SimpleDownloadBody: SimpleDownloadBody;
  /** See {@linkcode JsonFileUploadBody}. */
  readonly JsonFileUploadBody: JsonFileUploadBody;
  /** See {@linkcode FileUploadBody}. */
  readonly FileUploadBody: FileUploadBody;
}
