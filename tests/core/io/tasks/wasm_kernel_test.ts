/** Where the compiled kernels cannot run, the toolkit names what it needs. */
import { assertThrows } from "@std/assert";
import { startKernel } from "../../../../src/core/io/tasks/wasm_kernel.ts";

Deno.test("startKernel() names the need of a platform that lacks it", () => {
  // The magic bytes and a version of WebAssembly that no platform knows.
  const unknown = Uint8Array.of(0, 0x61, 0x73, 0x6d, 99, 0, 0, 0).toBase64();
  assertThrows(() => startKernel(unknown, "aligner", []), TypeError, "this platform lacks WebAssembly with SIMD");
});

Deno.test("startKernel() says what to do where a kernel lacks what it should export", () => {
  const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0).toBase64();
  startKernel(empty, "aligner", []);
  assertThrows(
    () => startKernel<{ readonly memory: WebAssembly.Memory }>(empty, "aligner", ["memory"]),
    TypeError,
    "Cannot use the compiled aligner: run deno task kernels",
  );
});
