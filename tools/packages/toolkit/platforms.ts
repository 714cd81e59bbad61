/** Platforms that wheels are built for. */

/** A platform, in the words of npm and of PyPI. */
export interface Platform {
  /** Its name for `--platform`. */
  readonly name: string;
  /** npm's `os` and `cpu`. */
  readonly os: "linux" | "darwin" | "win32";
  readonly cpu: "x64" | "arm64";
  /** Tag of PyPI's wheel of Deno: ours runs nowhere else. */
  readonly tag: string;
}

/** Every platform for which both Deno and all native packages exist. */
export const PLATFORMS: readonly Platform[] = [
  { name: "linux-x64", os: "linux", cpu: "x64", tag: "manylinux_2_27_x86_64" },
  { name: "linux-arm64", os: "linux", cpu: "arm64", tag: "manylinux_2_27_aarch64" },
  { name: "macos-x64", os: "darwin", cpu: "x64", tag: "macosx_10_12_x86_64" },
  { name: "macos-arm64", os: "darwin", cpu: "arm64", tag: "macosx_11_0_arm64" },
  { name: "windows-x64", os: "win32", cpu: "x64", tag: "win_amd64" },
];

/** Reads `--platform NAME`; this machine's without it. @throws {TypeError} If the platform is unknown. */
export function findPlatform(args: readonly string[]): Platform {
  const os = Deno.build.os === "windows" ? "win32" : Deno.build.os;
  const cpu = Deno.build.arch === "aarch64" ? "arm64" : "x64";
  const asked = args[0] === "--platform" ? args[1] : undefined;
  const found = PLATFORMS.find((platform) =>
    asked === undefined ? platform.os === os && platform.cpu === cpu : platform.name === asked
  );
  const isKnownUsage = args.length === 0 || args.length === 2 && asked !== undefined;
  if (found !== undefined && isKnownUsage) return found;
  throw new TypeError(`Usage: deno task wheel [--platform ${PLATFORMS.map(({ name }) => name).join("|")}]`);
}
