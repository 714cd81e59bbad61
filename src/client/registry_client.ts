/**
 * The five operations of the registry as five methods.
 *
 * @module
 */
import type { DefinitionsAnswer, FileAnswer, SearchAnswer, SequenceAnswer } from "./answers.ts";
import type { ClientOptions, DatasetOptions, DefinitionsOptions, RequestOptions } from "./options.ts";
import type { DownloadRequest } from "../spec/download.ts";
import type { DefinitionsRequest } from "../spec/metadata.ts";
import type { Naming } from "../spec/naming.ts";
import type { SearchRequest } from "../spec/search.ts";
import type { SequenceRequest } from "../spec/sequence.ts";
import type { RetryBudget } from "./retry_budget.ts";

/** Signatures first; the implementation follows in the next commit. */
export declare class RegistryClient {
  /** Base address, without a trailing slash. */
  readonly baseUrl: string;
  /** What the deployment calls things. */
  readonly naming: Naming;
  constructor(baseUrl: string | URL, options?: ClientOptions);
  search(request: SearchRequest, options?: RequestOptions): Promise<SearchAnswer>;
  sequence(request: SequenceRequest, options?: RequestOptions): Promise<SequenceAnswer>;
  download(request: DownloadRequest, options?: RequestOptions): Promise<FileAnswer>;
  definitions(request: DefinitionsRequest, options?: DefinitionsOptions): Promise<DefinitionsAnswer>;
  dataset(fileName: string, options?: DatasetOptions): Promise<FileAnswer>;
  /** A budget to share between the requests of one piece of work, such as a resumed download. */
  startRetries(): RetryBudget;
}
