#!/usr/bin/env node
/** Starts the toolkit in the Deno that npm installed with it, with the permissions that its command needs. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"];

const args = process.argv.slice(2);
const table = JSON.parse(readFileSync(new URL("./permissions.json", import.meta.url), "utf8"));
const permissions = table[args.slice(0, 2).join(" ")] ?? table[args[0] ?? ""] ?? table[""];
const main = fileURLToPath(new URL("../src/cli/main.js", import.meta.url));
const missing = missingPolars();
if (missing !== undefined) {
  process.stderr.write(
    `seqreg: npm left polars out, which asks for Node.js 22; install again with that, or: npm install ${missing}\n`,
  );
}
const deno = createRequire(import.meta.url)("deno/install_api.cjs").runInstall();
const child = spawn(deno, ["run", "--quiet", "--no-prompt", "--no-lock", ...permissions, main, ...args], {
  stdio: "inherit",
});
for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  process.stderr.write(`seqreg: Cannot start Deno: ${error.message}; install the package again\n`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  for (const name of FORWARDED) process.removeAllListeners(name);
  process.kill(process.pid, signal);
});

/** The native package of polars for this platform, unless npm installed it. An older Node.js is no reason for Deno. */
function missingPolars() {
  if (Number(process.versions.node.split(".", 1)[0]) >= 22) return undefined;
  const require = createRequire(createRequire(import.meta.url).resolve("nodejs-polars"));
  const { platform, arch } = process;
  const name = `nodejs-polars-${platform}-${arch}${{ linux: "-gnu", win32: "-msvc" }[platform] ?? ""}`;
  try {
    require.resolve(name);
    return undefined;
  } catch {
    return `${name}@${require("nodejs-polars/package.json").version}`;
  }
}
