/** Loads the compiled kernels. */
export { exportsAll, type KernelNumber, startKernel } from "../../io/tasks/wasm_kernel.ts";
