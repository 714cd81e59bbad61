import { assertEquals, assertThrows } from "@std/assert";
import { placePackages } from "../../../../tools/packages/toolkit/locked_packages.ts";
import { PLATFORMS } from "../../../../tools/packages/toolkit/platforms.ts";

const LOCKED = {
  "a@1.0.0": { dependencies: ["b", "c@2.0.0"], optionalDependencies: ["native-linux", "native-mac", "native-musl"] },
  "b@1.0.0_c@1.0.0": { dependencies: ["a", "c@1.0.0"] },
  "c@1.0.0": {},
  "c@2.0.0": { dependencies: ["d"] },
  "d@1.0.0": {},
  "native-linux@1.0.0": { os: ["linux"], cpu: ["x64"] },
  "native-mac@1.0.0": { os: ["darwin"], cpu: ["arm64"] },
  "native-musl@1.0.0": { os: ["linux"], cpu: ["x64"] },
  "test-only@1.0.0": {},
};

function placesOn(name: string, direct: readonly string[]): string[] {
  const platform = PLATFORMS.find((platform) => platform.name === name)!;
  return placePackages(LOCKED, direct, platform).map(({ id, folder }) => `${folder} ${id}`);
}

Deno.test("a package stands at the top, another version of it below the one that needs it", () => {
  assertEquals(placesOn("linux-x64", ["a", "c@1.0.0"]), [
    "node_modules/a a@1.0.0",
    "node_modules/a/node_modules/c c@2.0.0",
    "node_modules/b b@1.0.0_c@1.0.0",
    "node_modules/c c@1.0.0",
    "node_modules/d d@1.0.0",
    "node_modules/native-linux native-linux@1.0.0",
  ]);
});

Deno.test("native packages are those of the platform", () => {
  const natives = (name: string) => placesOn(name, ["a"]).filter((place) => place.includes("native"));
  assertEquals(natives("macos-arm64"), ["node_modules/native-mac native-mac@1.0.0"]);
  assertEquals(natives("windows-x64"), []);
});

Deno.test("a package that the lock file lacks is an error", () => {
  assertThrows(() => placesOn("linux-x64", ["e"]), Error, "deno.lock names 0 versions of e");
});
