/** What the operations of a registry share. */
import type { RegistryClient } from "../../client/mod.ts";
import type { Naming } from "../../contract/naming.ts";
import type { DefinitionCache } from "../definitions/definition_cache.ts";

export interface RegistryContext {
  readonly client: RegistryClient;
  readonly naming: Naming;
  /** Base address of a live registry, or folder of an embedded one. */
  readonly place: string;
  /** Whether it answers in this process, so that its grammar is known. */
  readonly embedded: boolean;
  readonly definitions: DefinitionCache;
}
