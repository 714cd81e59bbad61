/** The files that a bundle has in addition to what it packs: start scripts and a README. */

const ENVIRONMENT = `here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
export DENO_DIR="$here/deno_dir" DENO_NO_UPDATE_CHECK=1
if [ -z "\${SEQREG_CACHE:-}" ] && [ -w "$here/cache" ]; then export SEQREG_CACHE="$here/cache"; fi
`;

const PERMISSIONS = "--allow-read --allow-write --allow-net --allow-env --allow-sys --allow-ffi --allow-run";

/**
 * Scripts that start the bundle's own Deno with the bundle's own packages, by file name.
 *
 * @param about `installed`: whether the toolkit is a package of JavaScript with its packages in its own folder.
 */
export function startScripts(
  os: typeof Deno.build.os,
  { installed = false }: { readonly installed?: boolean } = {},
): Readonly<Record<string, string>> {
  const options = `run --quiet ${installed ? "--no-lock" : "--cached-only"} --no-prompt`;
  const main = installed ? "main.js" : "main.ts";
  if (os !== "windows") {
    return {
      "deno": `#!/bin/sh\n# Deno as it is in this folder: nothing is installed, nothing is fetched.\n${ENVIRONMENT}` +
        `exec "$here/bin/deno" "$@"\n`,
      "seqreg":
        `#!/bin/sh\n# The toolkit as it is in this folder: nothing is installed, nothing is fetched.\n${ENVIRONMENT}` +
        `exec "$here/bin/deno" ${options} ${PERMISSIONS} "$here/toolkit/src/cli/${main}" "$@"\n`,
    };
  }
  const environment = [
    "@echo off",
    "setlocal",
    'set "DENO_DIR=%~dp0deno_dir"',
    'set "DENO_NO_UPDATE_CHECK=1"',
    'if not defined SEQREG_CACHE set "SEQREG_CACHE=%~dp0cache"',
  ];
  const script = (line: string) => [...environment, line, ""].join("\r\n");
  return {
    "deno.cmd": script('"%~dp0bin\\deno.exe" %*'),
    "seqreg.cmd": script(
      `"%~dp0bin\\deno.exe" ${options} ${PERMISSIONS} "%~dp0toolkit\\src\\cli\\${main}" %*`,
    ),
  };
}

export function bundleReadme(about: {
  readonly toolkit: string;
  readonly deno: string;
  readonly platform: string;
  readonly os: typeof Deno.build.os;
  readonly installed?: boolean;
}): string {
  const [dot, ending] = about.os === "windows" ? ["", ".cmd"] : ["./", ""];
  const example = about.installed
    ? `${dot}seqreg${ending} run toolkit/examples/search.ts`
    : `${dot}deno${ending} run --allow-read --allow-write --allow-env --allow-ffi --allow-sys toolkit/examples/search.ts`;
  const source = about.installed
    ? "toolkit/   the toolkit and its packages. bin/: Deno"
    : "toolkit/   the source. deno_dir/ and bin/: packages and Deno";
  const unwritable = about.os === "windows"
    ? "Set it if this folder is\n           not writable: the sample is created there from its seed."
    : "If this folder is not\n           writable, the user's cache is used, and the sample is created there from its seed.";
  return `${about.toolkit} for a room without a network
Deno ${about.deno}, every package, notebooks, examples and the synthetic sample, for ${about.platform} only.

Unpack it in a writable folder. Nothing is installed; the folder can be moved or deleted as a whole.

  ${dot}seqreg${ending} demo                     the main operations in under a minute
  ${dot}seqreg${ending} --help                   every command
  ${dot}seqreg${ending} lab toolkit/notebooks    the lessons in JupyterLab, which must be installed
  ${example}

One server for a class: "${dot}seqreg${ending} serve --host 0.0.0.0 --allow-host NAME" prints an address; learners give it
as --registry URL or SEQREG_URL.

cache/     the sample, downloads and imports; SEQREG_CACHE sets another folder. ${unwritable}
${source}, unmodified, with their licences.
`;
}
