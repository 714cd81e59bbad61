/** A certificate for 127.0.0.1 that nobody trusts: self-signed, until 2126, of no use but in tests. */

const pem = (label: string, lines: readonly string[]) =>
  [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");

/** Certificate and key, as `Deno.listenTls` takes them. */
export const UNTRUSTED: Readonly<Record<"cert" | "key", string>> = {
  cert: pem("CERTIFICATE", [
    "MIIBkDCCATagAwIBAgIUM1FNhSQ5LUfMLfCWs4cpMj9rxTwwCgYIKoZIzj0EAwIw",
    "FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzAwNDE0OFoYDzIxMjYxMDMw",
    "MDA0MTQ4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO",
    "PQMBBwNCAATBYYkKItUmJzFINMrZBDptJ+BRLpEkhsUjoBXpp7ksWmUdP+h+zbx+",
    "ThvEVrFuaOaPFmZKMofnFtQF6kE9luHZo2QwYjAdBgNVHQ4EFgQUaaDWjYc6cwsP",
    "PmhN8eNHlx1EH5EwHwYDVR0jBBgwFoAUaaDWjYc6cwsPPmhN8eNHlx1EH5EwDwYD",
    "VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC",
    "IFkXx7CIzJpsIrdl2gMcHYh0k9PEvbMwzH2A7rdE2CP+AiEA7H5flCbBv25copll",
    "bicNLobns7NFUZf/Y+kD/l2gO3w=",
  ]),
  key: pem("PRIVATE KEY", [
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6yKSolnw8rmTyWoi",
    "rFgA6zEFoaSw9n3lluOSCr1wqLihRANCAATBYYkKItUmJzFINMrZBDptJ+BRLpEk",
    "hsUjoBXpp7ksWmUdP+h+zbx+ThvEVrFuaOaPFmZKMofnFtQF6kE9luHZ",
  ]),
};
