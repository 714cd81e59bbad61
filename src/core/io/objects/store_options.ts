/** Which object store is meant, and as whom. */
import type { OptionRule, OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";

/** A key of an object store. */
export interface StoreKey {
  /** Identifier of the key. */
  readonly accessKeyId: string;
  /** The secret. */
  readonly secretAccessKey: string;
  /** Token of a temporary key. */
  readonly sessionToken?: string;
}

/** Which object store, and as whom; what is absent comes from the standard variables and files of AWS. */
export interface ObjectStoreOptions {
  /** Region; `AWS_REGION`, `AWS_DEFAULT_REGION`, the profile's or `us-east-1` by default. */
  readonly region?: string;
  /** Base URL of the store; `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, the profile's or that of AWS by default. */
  readonly endpoint?: string;
  /** Whether the bucket stands in the path rather than in the host name; by default if `endpoint` is not AWS. */
  readonly pathStyle?: boolean;
  /** Whether requests are not signed, for public buckets; `AWS_NO_SIGN_REQUEST=YES` by default. */
  readonly anonymous?: boolean;
  /** The key; `AWS_ACCESS_KEY_ID` with its fellows, else `~/.aws/credentials`, by default. */
  readonly key?: StoreKey;
}

const STORE_KEY = {
  accessKeyId: rule.required(rule.concealed(rule.text)),
  secretAccessKey: rule.required(rule.concealed(rule.text)),
  sessionToken: rule.concealed(rule.text),
} satisfies OptionRules<StoreKey>;

export const OBJECT_STORE_OPTIONS = {
  region: rule.textLike("a region, such as eu-central-1", /^[A-Za-z0-9-]{1,64}$/),
  endpoint: rule.concealed(
    rule.like("the http or https URL of a store without path or password, such as http://127.0.0.1:9000", isEndpoint),
  ),
  pathStyle: rule.flag,
  anonymous: rule.flag,
  key: rule.concealed(rule.shape<StoreKey>(STORE_KEY)),
} satisfies OptionRules<ObjectStoreOptions>;

export const STORE_RULE: OptionRule<ObjectStoreOptions> = rule.shape<ObjectStoreOptions>(OBJECT_STORE_OPTIONS);

/** Whether a value is the base URL of a store: http or https, without query, fragment, path or password. */
export function isEndpoint(value: unknown): value is string {
  const url = typeof value === "string" ? URL.parse(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/" && url.search === "" &&
    url.hash === "" && url.username === "" && url.password === "";
}
