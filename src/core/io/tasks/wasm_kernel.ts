/** Loads the compiled kernels. */

const compiled = new Map<string, WebAssembly.Module>();

/**
 * Starts a kernel with memory of its own and returns what it exports.
 *
 * @param base64 The module.
 * @param host Functions that it imports.
 * @throws {TypeError} If the platform lacks the WebAssembly that kernels need, such as SIMD.
 */
export function startKernel(base64: string, host: WebAssembly.ModuleImports = {}): WebAssembly.Exports {
  let module = compiled.get(base64);
  if (module === undefined) {
    const bytes = Uint8Array.fromBase64(base64);
    if (!WebAssembly.validate(bytes)) {
      throw new TypeError(
        "Cannot run the compiled kernels: this platform lacks WebAssembly with SIMD; use Deno 2 on x86-64 or ARM64",
      );
    }
    compiled.set(base64, module = new WebAssembly.Module(bytes));
  }
  const imports = WebAssembly.Module.imports(module).map(({ module }) => [module, host]);
  return new WebAssembly.Instance(module, Object.fromEntries(imports)).exports;
}

/** A number that a kernel keeps. */
export interface KernelNumber {
  readonly value: number;
}

/** Whether a kernel exports what a program calls: if not, it was built from another source. */
export function exportsAll(exports: unknown, names: readonly string[]): boolean {
  return typeof exports === "object" && exports !== null && names.every((name) => name in exports);
}
