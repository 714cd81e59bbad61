/** Certificates for 127.0.0.1 that nobody trusts: self-signed, until 2126, of no use but in tests. */

const pem = (label: string, lines: readonly string[]) =>
  [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");

/** Certificate of a server and its key, as `Deno.listenTls` takes them. */
export const UNTRUSTED: Readonly<Record<"cert" | "key", string>> = {
  cert: pem("CERTIFICATE", [
    "MIIBjTCCATOgAwIBAgIUDSZ/O/M++1/0akRrh9Qw92Tu+Z0wCgYIKoZIzj0EAwIw",
    "FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMzE3Mjk1OFoYDzIxMjYxMDMw",
    "MTcyOTU4WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO",
    "PQMBBwNCAART+s4jQP/kmt7AedpA0WT5qLP0iGdsxo2FAVJJ5f0k0Di3fAROBnxk",
    "FKV3V/ByNtS05W+0nt43ezDmntezeANqo2EwXzAdBgNVHQ4EFgQUWFwEVJPSQwl0",
    "ArqWxp7zbj4ZtOwwHwYDVR0jBBgwFoAUWFwEVJPSQwl0ArqWxp7zbj4ZtOwwDwYD",
    "VR0RBAgwBocEfwAAATAMBgNVHRMBAf8EAjAAMAoGCCqGSM49BAMCA0gAMEUCIChb",
    "EiIQmJ4bB76du/+S/1DwDqZYlFmYO2PgCfCw18/QAiEA6KWd2x8PMMO61kQZ5wer",
    "Yvspmm5Gm9n0+F6nU8Jcw7w=",
  ]),
  key: pem("PRIVATE KEY", [
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRJ3kzQFVrRzkb3C+",
    "xoCIfgnwZNV8TXLv2cBpu2CpVEGhRANCAART+s4jQP/kmt7AedpA0WT5qLP0iGds",
    "xo2FAVJJ5f0k0Di3fAROBnxkFKV3V/ByNtS05W+0nt43ezDmntezeANq",
  ]),
};

/** The same of an authority (`CA:TRUE`), which is no certificate for a server. */
export const AUTHORITY: Readonly<Record<"cert" | "key", string>> = {
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
