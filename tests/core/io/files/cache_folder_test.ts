import { assertEquals, assertThrows } from "@std/assert";
import { cacheFolder } from "../../../../src/core/io/files/cache_folder.ts";

Deno.test("cacheFolder() follows the variables, then the platform", () => {
  const at = (os: "linux" | "darwin" | "windows", env: Record<string, string>) => cacheFolder((name) => env[name], os);

  assertEquals(at("linux", { SEQREG_CACHE: "/c", XDG_CACHE_HOME: "/x", HOME: "/h" }), "/c");
  assertEquals(at("linux", { XDG_CACHE_HOME: "/x", HOME: "/h" }), "/x/seqreg");
  assertEquals(at("linux", { HOME: "/h" }), "/h/.cache/seqreg");
  assertEquals(at("darwin", { HOME: "/h" }), "/h/Library/Caches/seqreg");
  assertEquals(at("windows", { LOCALAPPDATA: "/l", USERPROFILE: "/u" }), "/l/seqreg");
  assertThrows(() => at("linux", {}), TypeError, "SEQREG_CACHE");
});
