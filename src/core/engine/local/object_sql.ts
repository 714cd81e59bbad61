/** Lets DuckDB read the objects of a lake, and nothing else, with a key that no statement can see. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { messageOf, RegistryError } from "../../errors.ts";
import { parseObjectAddress } from "../../io/objects/object_address.ts";
import type { StoreAccess } from "../../io/objects/store_access.ts";
import { findHttpfs, HTTPFS_VARIABLE, installHttpfs } from "./find_httpfs.ts";
import { sqlText } from "./sql_names.ts";

/**
 * Loads the extension, hands the key over and allows exactly some objects.
 *
 * @param addresses `s3://…` of each, one at least, of one bucket.
 * @throws {RegistryError} With code `object-store` if the extension is not found or does not load.
 */
export async function allowObjects(
  connection: DuckDBConnection,
  addresses: readonly string[],
  access: StoreAccess,
): Promise<void> {
  const location = addresses[0].slice(0, addresses[0].lastIndexOf("/"));
  const { version } = await import("@duckdb/node-api");
  const path = await findHttpfs(version());
  const install = `${installHttpfs(version())}, or set ${HTTPFS_VARIABLE} to the file httpfs.duckdb_extension`;
  if (path === undefined) {
    const what = `DuckDB ${version()} needs its extension httpfs, which was not found`;
    throw new RegistryError("object-store", `Cannot run SQL over ${location}: ${what}; type: ${install}`);
  }
  // Otherwise keys that the user saved for other programs would be read, too.
  await connection.run("SET allow_persistent_secrets = false");
  try {
    await connection.run(`LOAD ${sqlText(path)}`);
  } catch (cause) {
    const why = messageOf(cause).split("\n", 1)[0];
    const message = `Cannot run SQL over ${location}: ${path} does not load (${why}); type: ${install}`;
    throw new RegistryError("object-store", message, { cause });
  }
  // The extension takes the environment's key into settings, which every statement can read.
  for (const name of ["s3_access_key_id", "s3_secret_access_key", "s3_session_token"]) {
    await connection.run(`SET GLOBAL ${name} = ''`);
  }
  try {
    await connection.run(secretOf(location, access));
  } catch (cause) {
    throw new RegistryError("object-store", access.conceal(`Cannot run SQL over ${location}: ${messageOf(cause)}`));
  }
  const paths = addresses.map(sqlText);
  await connection.run(`SET allowed_paths = [${paths.join(", ")}]`);
}

function secretOf(location: string, access: StoreAccess): string {
  const { bucket } = parseObjectAddress(location);
  const url = new URL(access.bucketUrl(bucket));
  const key = access.revealKey();
  const isPath = url.pathname !== "/";
  const settings: Record<string, string | undefined> = {
    KEY_ID: key?.accessKeyId,
    SECRET: key?.secretAccessKey,
    SESSION_TOKEN: key?.sessionToken,
    REGION: access.region,
    ENDPOINT: isPath ? url.host : url.host.slice(bucket.length + 1),
    URL_STYLE: isPath ? "path" : "vhost",
    SCOPE: `s3://${bucket}/`,
  };
  const listed = Object.entries(settings).filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${sqlText(value!)}`);
  return `CREATE SECRET lake (TYPE s3, ${listed.join(", ")}, USE_SSL ${url.protocol === "https:"})`;
}

/** Functions that show keys, or what was sent with them. */
const TELLING = /^(DUCKDB_SECRET|WHICH_SECRET|(ENABLE|DISABLE)_LOGGING|(TRUNCATE_)?DUCKDB_LOG)/;

/** Whether a plan in DuckDB's JSON form runs a function that shows keys. */
export function tellsKeys(plan: string): boolean {
  let isTelling = false;
  JSON.parse(plan, (name, value) => {
    if (["name", "Function"].includes(name) && typeof value === "string" && TELLING.test(value.trim())) {
      isTelling = true;
    }
    return value;
  });
  return isTelling;
}

export function refuseKeys(): TypeError {
  return new TypeError("Cannot run the SQL: a lake is only read; functions that show keys or logs are not run");
}

/** The statement that shows the plan of another. */
export function explaining(text: string): string {
  const isListing = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:describe|desc|summarize|show)\b/i.test(text);
  return `EXPLAIN (FORMAT JSON) ${isListing ? `SELECT * FROM (${text.replace(/;\s*$/, "")}\n)` : text}`;
}
