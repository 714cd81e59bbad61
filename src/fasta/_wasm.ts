/** Loads the compiled kernels. */
export { exportsAll, type KernelNumber, startKernel } from "../io/wasm_kernel.ts";
