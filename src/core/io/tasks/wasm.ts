/** Loads the compiled modules. */

const compiled = new Map<string, WebAssembly.Module>();

/**
 * Starts a module with memory of its own and returns what it exports.
 *
 * @param names What it exports at least.
 * @throws {TypeError} If the platform lacks the WebAssembly that modules need, such as SIMD, or if it was built from
 * another source.
 */
export function startWasm<Exports extends object>(
  base64: string,
  what: string,
  names: readonly (keyof Exports & string)[],
  host: WebAssembly.ModuleImports = {},
): Exports {
  let module = compiled.get(base64);
  if (module === undefined) {
    const bytes = Uint8Array.fromBase64(base64);
    if (!WebAssembly.validate(bytes)) {
      throw new TypeError(
        "Cannot run the compiled modules: this platform lacks WebAssembly with SIMD; use Deno 2 on x86-64 or ARM64",
      );
    }
    compiled.set(base64, module = new WebAssembly.Module(bytes));
  }
  const imports = WebAssembly.Module.imports(module).map(({ module }) => [module, host]);
  const { exports } = new WebAssembly.Instance(module, Object.fromEntries(imports));
  if (!exportsAll<Exports>(exports, names)) {
    throw new TypeError(`Cannot use the compiled ${what}: run deno task wasm`);
  }
  return exports;
}

/** A number that a module keeps. */
export interface WasmNumber {
  readonly value: number;
}

function exportsAll<Exports extends object>(exports: object, names: readonly string[]): exports is Exports {
  return names.every((name) => name in exports);
}
