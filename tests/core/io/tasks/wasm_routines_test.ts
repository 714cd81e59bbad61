/** Where the compiled modules cannot run, the toolkit names what it needs. */
import { assertThrows } from "@std/assert";
import { startWasm } from "../../../../src/core/io/tasks/wasm.ts";

Deno.test("startWasm() names the need of a platform that lacks it", () => {
  // The magic bytes and a version of WebAssembly that no platform knows.
  const unknown = Uint8Array.of(0, 0x61, 0x73, 0x6d, 99, 0, 0, 0).toBase64();
  assertThrows(() => startWasm(unknown, "aligner", []), TypeError, "this platform lacks WebAssembly with SIMD");
});

Deno.test("startWasm() says what to do where a module lacks what it should export", () => {
  const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0).toBase64();
  startWasm(empty, "aligner", []);
  assertThrows(
    () => startWasm<{ readonly memory: WebAssembly.Memory }>(empty, "aligner", ["memory"]),
    TypeError,
    "Cannot use the compiled aligner: run deno task wasm",
  );
});
