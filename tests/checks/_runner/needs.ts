/** What checks need of the system, and where it comes from. */

/** A program, or what stands for one. */
export interface Source {
  readonly debian: string;
  /** Command that succeeds where it is installed; by default the program is on the path. */
  readonly probe?: readonly string[];
}

/** Programs by the name that a check has for them. */
export const PROGRAMS = {
  curl: { debian: "curl" },
  unshare: { debian: "util-linux" },
  ip: { debian: "iproute2" },
  tar: { debian: "tar" },
  chromium: { debian: "chromium" },
  seqkit: { debian: "seqkit" },
  samtools: { debian: "samtools" },
  makeblastdb: { debian: "ncbi-blast+" },
  mafft: { debian: "mafft" },
  Rscript: { debian: "r-base-core" },
  seqinr: { debian: "r-cran-seqinr", probe: ["Rscript", "-e", "library(seqinr)"] },
  zsh: { debian: "zsh" },
  fish: { debian: "fish" },
  java: { debian: "openjdk-17-jre-headless" },
  python3: { debian: "python3" },
  venv: { debian: "python3-venv", probe: ["python3", "-c", "import ensurepip"] },
} as const satisfies Record<string, Source>;

export type Program = keyof typeof PROGRAMS | "spark";

/** Packages of Python, each in the version that checks were tried with. */
export const PACKAGES = {
  jupyterlab: "jupyterlab==4.6.6",
  notebook: "notebook==7.6.5",
  nbclient: "nbclient==0.11.0",
  nbconvert: "nbconvert==7.17.2",
  schemathesis: "schemathesis==4.32.5",
  biopython: "biopython==1.88",
  pandas: "pandas==3.1.1",
  pyarrow: "pyarrow==26.0.1",
  duckdb: "duckdb==1.5.5",
  polars: "polars==2.1.0",
  moto: "moto[server]==5.2.5",
  openpyxl: "openpyxl==3.1.5",
  daff: "daff==1.4.2",
  sourmash: "sourmash==4.9.4",
  vclust: "vclust==1.3.1",
  checkv: "checkv==1.1.1",
  xlsxwriter: "xlsxwriter==3.3.1",
  httpfs: "duckdb-extension-httpfs==1.5.5",
  pytest: "pytest==9.2.0",
  "roc-validator": "roc-validator==0.13.0",
  rocrate: "rocrate==0.16.0",
  lifelines: "lifelines==0.30.0",
  "scikit-bio": "scikit-bio==0.7.4",
  epiweeks: "epiweeks==2.4.0",
  statsmodels: "statsmodels==0.15.0",
} as const;

export type Package = keyof typeof PACKAGES;
