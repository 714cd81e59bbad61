/** Loads the compiled kernels. */
export { exportsAll, type KernelNumber, startKernel } from "../../io/work/wasm_kernel.ts";
