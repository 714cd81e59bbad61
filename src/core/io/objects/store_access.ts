/** Which store is asked, and as whom: from options, the standard variables of AWS, and its profiles. */
import { isOffline } from "../../options/is_offline.ts";
import { join } from "node:path";
import { messageOf, RegistryError } from "../../errors.ts";
import { allowedEnv, type ReadEnv } from "../../options/allowed_env.ts";
import { findProfile, type Profile } from "./_aws_profiles.ts";
import { ObjectStoreError } from "./object_store_error.ts";
import { isEndpoint, type ObjectStoreOptions, type StoreKey } from "./store_options.ts";

/** Fewest characters of a secret: MinIO takes none of fewer, AWS gives 40. */
const LEAST_SECRET = 8;

/** Where a store is and who asks. Printing it, or writing it as JSON, shows no key. */
export class StoreAccess {
  /** Region for signatures. */
  readonly region: string;
  /** Base URL of the store; that of AWS in the region when absent. */
  readonly endpoint?: string;
  /** Whether the bucket stands in the path. */
  readonly pathStyle: boolean;
  /** Where the key comes from, in words: `the environment`, `profile lab`; `anonymous` without one. */
  readonly origin: string;
  readonly #key: StoreKey | undefined;

  /** Takes what was found; without a key, requests are not signed. */
  constructor(
    found: Omit<ObjectStoreOptions, "key" | "anonymous"> & { region: string; origin: string },
    key?: StoreKey,
  ) {
    this.region = found.region;
    if (found.endpoint !== undefined) this.endpoint = found.endpoint;
    this.pathStyle = found.pathStyle ?? found.endpoint !== undefined;
    this.origin = found.origin;
    this.#key = key;
  }

  /** The key, for those who sign; `undefined` if requests are anonymous. */
  revealKey(): StoreKey | undefined {
    return this.#key;
  }

  /** Whether the key is that of this process's environment, where native libraries find it. */
  isOfProcess(): boolean {
    const key = this.#key;
    return key !== undefined && key.accessKeyId === allowedEnv("AWS_ACCESS_KEY_ID") &&
      key.secretAccessKey === allowedEnv("AWS_SECRET_ACCESS_KEY") &&
      key.sessionToken === (allowedEnv("AWS_SESSION_TOKEN") || undefined);
  }

  /** Replaces parts of the key in a text that others wrote; a word such as `any`, for stores of tests, is no secret. */
  conceal(text: string): string {
    const { secretAccessKey = "", sessionToken = "", accessKeyId = "" } = this.#key ?? {};
    return [secretAccessKey, sessionToken, accessKeyId].filter(({ length }) => length >= LEAST_SECRET)
      .reduce((hidden, part) => hidden.replaceAll(part, "…"), text);
  }

  /** Base URL of a bucket, with a slash at its end. */
  bucketUrl(bucket: string): string {
    const base = new URL(this.endpoint ?? `https://s3.${this.region}.${amazonDomain(this.region)}`);
    // A certificate of AWS does not cover a bucket with dots.
    if (this.pathStyle || bucket.includes(".") || bucket.includes("_")) return `${base.origin}/${bucket}/`;
    return `${base.protocol}//${bucket}.${base.host}/`;
  }
}

function amazonDomain(region: string): string {
  return region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
}

/**
 * Finds region, endpoint and key: in the options, else in the environment, else in the profile.
 *
 * Temporary keys of single sign-on, of roles and of programs are not fetched: `aws configure export-credentials` gives
 * them as variables.
 *
 * @param address Bucket or prefix that is meant, for errors.
 * @param options What is known already.
 * @param env Reads a variable; the process's own, where permitted, by default.
 * @throws {ObjectStoreError} With fault `no-credentials` if no key is found, and access is not anonymous.
 * @throws {RegistryError} With code `offline` if `SEQREG_OFFLINE` is set and the store is not on this machine.
 */
export async function findStoreAccess(
  address: string,
  options: ObjectStoreOptions = {},
  env: ReadEnv = allowedEnv,
): Promise<StoreAccess> {
  const set = (...names: string[]) => names.map((name) => env(name)?.trim()).find((value) => value);
  const name = set("AWS_PROFILE") ?? "default";
  const profile = await readProfile(name, env);
  const fail = (why: string) =>
    new ObjectStoreError(`Cannot use ${address}: ${why}`, { fault: "no-credentials", address });
  const endpoint = options.endpoint ?? set("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") ??
    profile.settings.get("endpoint_url");
  if (endpoint !== undefined && !isEndpoint(endpoint)) {
    throw fail(
      "the endpoint is not the http or https URL of a store without path and password; check AWS_ENDPOINT_URL",
    );
  }
  if (isOffline(set("SEQREG_OFFLINE")) && !isLoopback(endpoint)) {
    throw new RegistryError("offline", `Cannot use ${address}: SEQREG_OFFLINE forbids the network; unset it`);
  }
  const found = {
    region: options.region ?? set("AWS_REGION", "AWS_DEFAULT_REGION") ?? profile.settings.get("region") ?? "us-east-1",
    ...endpoint !== undefined && { endpoint: new URL(endpoint).origin },
    pathStyle: options.pathStyle ??
      (endpoint !== undefined && !/\.amazonaws\.com(\.cn)?$/.test(new URL(endpoint).hostname)),
  };
  if (options.anonymous ?? /^(yes|true|1)$/i.test(set("AWS_NO_SIGN_REQUEST") ?? "")) {
    return new StoreAccess({ ...found, origin: "anonymous" });
  }
  if (options.key !== undefined) return new StoreAccess({ ...found, origin: "the options" }, options.key);
  const [accessKeyId, secretAccessKey, sessionToken] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
  ].map((variable) => set(variable));
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    const key = { accessKeyId, secretAccessKey, ...sessionToken !== undefined && { sessionToken } };
    return new StoreAccess({ ...found, origin: "the environment" }, key);
  }
  const half = accessKeyId !== undefined ? "AWS_SECRET_ACCESS_KEY" : "AWS_ACCESS_KEY_ID";
  if (accessKeyId !== undefined || secretAccessKey !== undefined) throw fail(`its key is not whole: set ${half}, too`);
  const key = keyOf(profile.settings);
  if (key !== undefined) return new StoreAccess({ ...found, origin: `profile ${name}` }, key);
  throw fail(describeAbsent(name, profile));
}

function isLoopback(endpoint: string | undefined): boolean {
  return endpoint !== undefined && ["127.0.0.1", "localhost", "[::1]"].includes(new URL(endpoint).hostname);
}

function keyOf(settings: Profile): StoreKey | undefined {
  const accessKeyId = settings.get("aws_access_key_id");
  const secretAccessKey = settings.get("aws_secret_access_key");
  const sessionToken = settings.get("aws_session_token");
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...sessionToken && { sessionToken } };
}

/** Settings that say that a program or a service gives temporary keys. */
const ELSEWHERE = ["sso_session", "sso_start_url", "role_arn", "credential_process", "web_identity_token_file"];

function describeAbsent(name: string, { settings, isKnown, isForbidden }: FoundProfile): string {
  const elsewhere = ELSEWHERE.find((setting) => settings.has(setting));
  const fetched = `eval "$(aws configure export-credentials --format env${
    name === "default" ? "" : ` --profile ${name}`
  })"`;
  if (elsewhere !== undefined) return `profile ${name} gets its keys by ${elsewhere}: run ${fetched} first`;
  if (isForbidden) {
    return "no credentials may be read: run with --allow-env='AWS_*' for keys in the environment, with " +
      "--allow-env=HOME --allow-read=$HOME/.aws for profiles";
  }
  const profiles = isKnown || name === "default" ? "" : `, and there is no profile ${name}`;
  return `no credentials are set${profiles}; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or ` +
    "AWS_NO_SIGN_REQUEST=YES for a public bucket";
}

function unreadable(path: string, cause: unknown): ObjectStoreError {
  const why = cause instanceof Deno.errors.PermissionDenied ? "permission denied" : messageOf(cause);
  const message = `Cannot read ${path}: ${why}; check its owner and mode`;
  return new ObjectStoreError(message, { fault: "no-credentials", address: path }, cause);
}

interface FoundProfile {
  readonly settings: Profile;
  /** Whether a file has it. */
  readonly isKnown: boolean;
  /** Whether permissions hide both the variables and the files. */
  readonly isForbidden: boolean;
}

async function readProfile(name: string, env: ReadEnv): Promise<FoundProfile> {
  const home = env("HOME") || env("USERPROFILE");
  const folder = home ? join(home, ".aws") : undefined;
  const paths = [
    env("AWS_CONFIG_FILE") || (folder && join(folder, "config")),
    env("AWS_SHARED_CREDENTIALS_FILE") || (folder && join(folder, "credentials")),
  ];
  const found: Profile[] = [];
  let isForbidden = Deno.permissions.querySync({ name: "env", variable: "AWS_ACCESS_KEY_ID" }).state !== "granted";
  for (const path of paths) {
    if (path === undefined) continue;
    // Without this, Deno would ask the user at a terminal.
    if ((await Deno.permissions.query({ name: "read", path })).state !== "granted") continue;
    try {
      const profile = findProfile(await Deno.readTextFile(path), name);
      if (profile !== undefined) found.push(profile);
    } catch (cause) {
      if (!(cause instanceof Deno.errors.NotFound)) throw unreadable(path, cause);
    }
    isForbidden = false;
  }
  return { settings: new Map(found.flatMap((profile) => [...profile])), isKnown: found.length > 0, isForbidden };
}
