/** Parquet objects of a store as one lazy frame of polars. */
import type { LazyDataFrame } from "nodejs-polars";
import { parseObjectAddress } from "../../io/objects/object_address.ts";
import type { StoreAccess } from "../../io/objects/store_access.ts";
import type { Polars } from "./frame_columns.ts";
import { memberOf, withPaths } from "./scan_files.ts";

/**
 * Scans exactly the objects of a list, in its order. Nothing is read yet.
 *
 * Where the key is that of this process's environment it stays out of the plan, since polars reads it there.
 *
 * @param addresses `s3://…` of one object at least.
 * @throws {TypeError} If this version of polars writes plans in another form.
 */
export function scanObjects(pl: Polars, addresses: readonly string[], access: StoreAccess): LazyDataFrame {
  const { bucket } = parseObjectAddress(addresses[0]);
  const one = pl.scanParquet(addresses[0], { cloudOptions: cloudOptions(bucket, access), cache: false });
  return withPaths(pl, one, addresses, (settings) => {
    const config = memberOf(memberOf(settings, "cloud_options"), "config");
    // The order of a hash table: without this, equal plans would be written differently.
    if (Array.isArray(config.Aws)) {
      config.Aws = config.Aws.map((entry) => JSON.stringify(entry)).sort().map((text) => JSON.parse(text));
    }
  });
}

/** Describes a store to polars, in the words of its library `object_store`. */
function cloudOptions(bucket: string, access: StoreAccess): Record<string, string> {
  const url = new URL(access.bucketUrl(bucket));
  const key = access.revealKey();
  return {
    aws_region: access.region,
    ...access.endpoint !== undefined && { aws_endpoint_url: url.origin },
    aws_virtual_hosted_style_request: String(url.pathname === "/"),
    ...url.protocol === "http:" && { aws_allow_http: "true" },
    ...key === undefined && { aws_skip_signature: "true" },
    ...key !== undefined && !access.isOfProcess() && {
      aws_access_key_id: key.accessKeyId,
      aws_secret_access_key: key.secretAccessKey,
      ...key.sessionToken !== undefined && { aws_session_token: key.sessionToken },
    },
  };
}
