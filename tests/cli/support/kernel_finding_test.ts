import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { findKernel, jupyterFolders } from "../../../src/cli/support/kernel_finding.ts";
import { inFolder } from "../../_files.ts";

const environment = (variables: Readonly<Record<string, string>>) => (name: string) => variables[name];

Deno.test("doctor finds the kernel that pip installed with a wheel, in the environment of the wheel", () =>
  inFolder(async (folder) => {
    const env = environment({ HOME: `${folder}/home` });
    const toolkit = `${folder}/venv/lib/python3.13/site-packages/seqreg_toolkit/toolkit/`;
    const places = { env, os: "linux", toolkit } as const;
    const absent = await findKernel(places);
    // A machine may have the kernel for all users.
    if (!absent.state.startsWith("installed in /usr")) {
      assertEquals(absent.state, "not installed");
      assertStringIncludes(absent.advice ?? "", "seqreg kernel install");
    }

    const spec = `${folder}/venv/share/jupyter/kernels/deno-seqreg`;
    await Deno.mkdir(spec, { recursive: true });
    await Deno.writeTextFile(`${spec}/kernel.json`, "{}");

    assertEquals(await findKernel(places), { subject: "kernel", state: `installed in ${spec}` });
  }));

Deno.test("doctor looks for kernels where Jupyter does", () => {
  const folders = jupyterFolders({
    env: environment({ JUPYTER_PATH: "/a:/b", VIRTUAL_ENV: "/v", CONDA_PREFIX: "/c", HOME: "/h" }),
    os: "linux",
  });
  assertEquals(folders, [
    "/a",
    "/b",
    "/v/share/jupyter",
    "/c/share/jupyter",
    "/h/.local/share/jupyter",
    "/usr/local/share/jupyter",
    "/usr/share/jupyter",
  ]);
  const windows = jupyterFolders({
    env: environment({ APPDATA: "/roaming", PROGRAMDATA: "/programs" }),
    os: "windows",
  });
  assertEquals(windows, ["/roaming/jupyter", "/programs/jupyter"]);
  const mac = jupyterFolders({ env: environment({ HOME: "/Users/ada" }), os: "darwin", toolkit: "/p/lib/t" });
  assert(mac.includes("/p/share/jupyter") && mac.includes("/Users/ada/Library/Jupyter"));
});
